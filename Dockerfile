# The table in a container: `docker build -t waymark .`, then `docker run -p 8080:8080 -v waymark:/data waymark`.
FROM python:3.12-slim-bookworm AS build
WORKDIR /src
# What playing needs, and what the flags --database and --photos need for PostgreSQL and S3.
COPY requirements.lock requirements-scale.lock requirements-headless.lock ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock -r requirements-scale.lock \
    && /venv/bin/pip uninstall --yes opencv-python \
    && /venv/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements-headless.lock
# setup.py packs the art: without it the wheel is three times as large.
COPY pyproject.toml setup.py README.md LICENSE ./
COPY scorer scorer
COPY vision vision
COPY calibration calibration
COPY waymark waymark
COPY webapp webapp
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim-bookworm
COPY --from=build /venv /venv
RUN useradd --create-home waymark && mkdir /data && chown waymark /data
USER waymark
VOLUME /data
EXPOSE 8080
ENV WAYMARK_CACHE=/data/cache
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["/venv/bin/python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["/venv/bin/waymark"]
CMD ["serve", "--data", "/data"]
