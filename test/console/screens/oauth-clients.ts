import type { Screen } from '../screen.ts'

const PATH = '/console/settings/oauth-clients'

export const screens: readonly Screen[] = [
  { name: 'oauth-clients', as: 'admin', path: PATH, ready: '.section' },
  { name: 'connected-applications', as: 'reader', path: PATH, ready: '.section' },
]
