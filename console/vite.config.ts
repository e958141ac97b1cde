import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVICE = 'http://localhost:8080'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    // The pages may load nothing inline: their Content-Security-Policy allows files of the service only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What the bundled packages ask of those who pass them on.
    rolldownOptions: {
      // Packages change less often than pages: apart, they stay in browsers' caches.
      output: { codeSplitting: { groups: [{ name: 'packages', test: /node_modules/ }] } },
    },
    license: { fileName: 'licenses.md' },
  },
  // `npx vite` in this folder: the pages with hot reloading, over a service that runs at its usual address.
  server: { proxy: { '/api': SERVICE, '/oauth': SERVICE, '/sign-in': SERVICE, '/docs': SERVICE } },
})
