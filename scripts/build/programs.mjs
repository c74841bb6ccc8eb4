/** What the images run: target of the Dockerfile, and the program that it starts. */
export const IMAGE_PROGRAMS = {
  gateway: 'apps/gateway/dist/main.js',
  extraction: 'apps/extraction/dist/main.js',
  persistence: 'apps/persistence/dist/main.js',
  'tom-insight': 'apps/tom-insight/dist/main.js',
  'consolidation-worker': 'apps/consolidation-worker/dist/main.js',
  migrate: 'libs/storage/dist/cli/migrate.js',
};

/** What every image can run beside its own program, and what a service imports first when a trace exporter is configured. */
export const SHARED_PROGRAMS = ['apps/doctor/dist/main.js', 'libs/observability/dist/otel.js'];

/** Only the embedded profile loads it, which no image runs. */
export const EMBEDDED_ONLY = '@electric-sql/';

/** Files that a program finds by a name that it puts together: by package of Annals, what it takes from which dependency. */
export const COMPUTED_FILES = {
  'apps/gateway': {
    'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js'],
    '@annals/console': ['package.json', 'dist/index.html'],
  },
};
