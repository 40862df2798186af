// What `make check-js` asks of the pages' scripts, beside prettier and tsc.
import js from "@eslint/js";
import globals from "globals";

const WORKER = "webapp/static/capture/sw.js";

export default [
  { ignores: ["out/", "build/", "dist/", ".*/", "webapp/static/vendor/"] },
  js.configs.recommended,
  { files: ["*.js", "tools/js/*.js"], languageOptions: { globals: globals.node } },
  {
    // Tests of scripts: in node, with as much of a browser as tests/js/page.js makes.
    files: ["tests/js/*.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: { ...globals.node, ...globals.browser },
    },
  },
  {
    files: ["webapp/static/**/*.js"],
    ignores: [WORKER],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
  },
  {
    // What stands before the service worker's text as it is served: see its first lines.
    files: [WORKER],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: { ...globals.serviceworker, VERSION: "readonly", FILES: "readonly", OFFLINE: "readonly" },
    },
  },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-self-compare": "error",
      "no-shadow": ["error", { allow: ["name", "event", "t"] }],
      "no-unreachable-loop": "error",
      "no-useless-assignment": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
];
