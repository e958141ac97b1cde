import type { Screen } from '../screen.ts'

const path = '/console/bin'

export const screens: readonly Screen[] = [
  { name: 'bin', as: 'editor', path, ready: '.empty, [role=table]' },
  { name: 'bin-forbidden', as: 'reader', path, ready: '.empty' },
]
