import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Static files for the gateway, which serves them at /console/ under a policy without inline script, style or data. */
export default defineConfig({
  // Relative URLs: a proxy may serve the gateway below a path.
  base: './',
  plugins: [react()],
  // The client from its sources, as in tsconfig.json.
  resolve: { tsconfigPaths: true },
  // The gateway puts a nonce of each response in its place.
  html: { cspNonce: 'annals-nonce' },
  build: {
    rolldownOptions: { input: ['index.html', 'me.html'] },
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.json' },
  },
});
