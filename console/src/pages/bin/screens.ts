import type { Screen } from '../../../../test/console/screen.ts'

const path = '/console/bin'

export const screens: readonly Screen[] = [
  { name: 'bin', as: 'editor', path, ready: '.empty, [role=table]' },
  { name: 'bin-forbidden', as: 'reader', path, ready: '.empty' },
]
