import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Version of Swagger UI, which the URLs of its files contain. */
export const { version: PAGE_VERSION } = require('swagger-ui-dist/package.json') as { version: string };

/** The page, its assets and the OpenAPI document come from this origin only; no script and no style is inline. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Swagger UI over the OpenAPI document. Its URLs are relative, so that it also works behind a path prefix. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Annals API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css?v=${PAGE_VERSION}">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>The OpenAPI document is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js?v=${PAGE_VERSION}"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Starts Swagger UI. Without a validator URL, it sends the document to no other host. */
export const START_SCRIPT =
  "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n";

/** A file of Swagger UI that the page loads: where it is on disk, and its content type. */
export interface PageAsset {
  readonly file: string;
  readonly type: string;
}

/** Files by name. */
export const PAGE_ASSETS: ReadonlyMap<string, PageAsset> = new Map(
  Object.entries({
    'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    'swagger-ui.css': 'text/css; charset=utf-8',
  }).map(([name, type]) => [name, { file: require.resolve(`swagger-ui-dist/${name}`), type }]),
);
