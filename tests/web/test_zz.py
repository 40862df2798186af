import pytest
from at_the_table import read_tableau
from page_looks import faults


@pytest.mark.parametrize(
    "photo,every", [("table-09", False), ("table-02", True), ("table-06", False), ("table-10", False)]
)
def test_x(new_page, live, photo, every):
    t = read_tableau(live.services, photo, every_doubt=every)
    for lang in ("en", "ja"):
        for name, size in (
            ("phone", {"width": 360, "height": 740}),
            ("tablet", {"width": 820, "height": 1180}),
        ):
            if name == "tablet" and lang == "ja":
                continue
            page = new_page(size=size, language=lang)
            page.goto(f"/tableaus/{t}")
            page.locator("#question h2").wait_for()
            page.wait_for_timeout(700)
            page.screenshot(path=f"/tmp/wt/tmp/doubt/shots/{photo}-{name}-{lang}.png")
            page.screenshot(path=f"/tmp/wt/tmp/doubt/shots/{photo}-{name}-{lang}-full.png", full_page=True)
            print(photo, name, lang, faults(page))
            page.close()
