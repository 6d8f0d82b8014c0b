import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Nothing in core/contract does anything when it is loaded. The bundler cannot see that of schemas: it is told, so that
 * those which a chunk does not use, and the library that makes them, stay out of it.
 */
const pureContract = (): Plugin => ({
  name: 'pure-contract',
  enforce: 'post',
  apply: 'build',
  transform: {
    filter: { id: /\/core\/contract\/.*\.ts$/ },
    handler(code) {
      const calls = this.parse(code)
        .body.map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
        .flatMap((node) => (node?.type === 'VariableDeclaration' ? node.declarations : []))
        .flatMap(({ init }) =>
          init != null && /^(Call|Array|Object|New)Expression$/.test(init.type) ? [init] : [],
        );
      const parts = calls
        .toReversed()
        .reduce(
          (text, { start, end }) =>
            `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
          code,
        );
      return { code: parts, map: null, moduleSideEffects: false };
    },
  },
});

/** `npx vite build` writes dist/; `npx vite` serves the sources and sends /api to a server that is already up. */
export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), pureContract()],
  resolve: {
    alias: {
      '@contract': here('../src/core/contract/index.ts'),
      '@told': here('../src/core/contract/told/index.ts'),
      '@tasks': here('../src/core/contract/tasks/index.ts'),
      '@guard': here('../src/core/contract/guard/index.ts'),
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
