import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVICE = 'http://localhost:8080'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    // The pages may load nothing inline: their Content-Security-Policy allows only files of the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Licence texts of the bundled packages, which must accompany them.
    rolldownOptions: {
      // Packages change less often than pages, so browsers can cache them separately.
      output: { codeSplitting: { groups: [{ name: 'packages', test: /node_modules/ }] } },
    },
    license: { fileName: 'licenses.md' },
  },
  // `npx vite` in this folder serves the pages with hot reloading, in front of a service at its usual address.
  server: { proxy: { '/api': SERVICE, '/oauth': SERVICE, '/sign-in': SERVICE, '/docs': SERVICE } },
})
