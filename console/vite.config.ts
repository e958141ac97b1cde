import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const SERVICE = 'http://localhost:8080'

export default defineConfig({
  base: '/console/',
  plugins: [
    // Elements whose texts are harmless (src/jsx).
    react({ jsxImportSource: '#jsx' }),
    earlyScript('src/scheme.js'),
    // React Aria brings the words of 30 languages; the console has two.
    optimizeLocales.vite({ locales: ['en-GB', 'en-US', 'de-DE'] }),
  ],
  // Product feeds are read by the command line's modules, in a worker of the import page.
  resolve: {
    alias: {
      'node:buffer': here('src/pages/import/feed-buffer.ts'),
      'node:stream/web': here('src/pages/import/feed-streams.ts'),
    },
  },
  worker: { format: 'es' },
  build: {
    // The pages may load nothing inline: their Content-Security-Policy allows only files of the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The first browsers with light-dark(), by which each colour is written once for both schemes.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      // Packages change less often than pages, so browsers can cache them separately. Only what every page needs: the
      // others come with the pages that use them. What the list of pages imports is needed at once too: in one file it
      // costs one answer in place of dozens, and compresses better.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'packages',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store))[\\/]/,
              priority: 1,
            },
            { name: 'start', test: /[\\/]console[\\/]src[\\/]router\.tsx$/ },
          ],
        },
      },
    },
    // Licence texts of the bundled packages, which must accompany them.
    license: { fileName: 'licenses.md' },
  },
  // `npx vite` in this folder serves the pages with hot reloading, in front of a service at its usual address.
  server: { proxy: { '/api': SERVICE, '/oauth': SERVICE, '/sign-in': SERVICE, '/docs': SERVICE } },
})

/** Builds a script that index.html loads before the first paint: not a module, named by its content like all files. */
function earlyScript(path: string): Plugin {
  let reference = ''
  return {
    name: 'early-script',
    apply: 'build',
    buildStart() {
      const source = readFileSync(new URL(path, import.meta.url), 'utf8')
      reference = this.emitFile({ type: 'asset', name: path.slice(path.lastIndexOf('/') + 1), source })
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset') throw new Error('There is no index.html to put the script into')
        const named = new RegExp(`src="[^"]*${path.replaceAll('.', '\\.')}"`)
        html.source = String(html.source).replace(named, `src="/console/${this.getFileName(reference)}"`)
      },
    },
  }
}
