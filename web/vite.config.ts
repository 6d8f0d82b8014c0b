import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npx vite build` writes dist/; `npx vite` serves the sources and sends /api to a server that is already up. */
export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      '@contract': here('../src/core/contract/index.ts'),
      '@told': here('../src/core/contract/told/index.ts'),
    },
  },
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: {
    fs: { strict: false },
    proxy: { '/api': process.env['PLANWRIGHT_URL'] ?? 'http://127.0.0.1:4711' },
  },
});
