import type { Screen } from '../screen.ts'

const PATH = '/console/first-steps'

export const screens: readonly Screen[] = [
  { name: 'search-empty', as: 'founder', path: '/console', ready: '.empty' },
  { name: 'first-steps', as: 'founder', path: PATH, ready: '.first-step-body form' },
  { name: 'first-steps-content', as: 'founder', path: `${PATH}?step=content`, ready: '.first-steps-sample button' },
  { name: 'first-steps-search', as: 'shopkeeper', path: `${PATH}?step=search`, ready: '.first-step-body' },
  { name: 'first-steps-invite', as: 'founder', path: `${PATH}?step=invite`, ready: '.first-step-body form' },
  { name: 'first-steps-assistant', as: 'founder', path: `${PATH}?step=assistant`, ready: '.code-block' },
  { name: 'first-steps-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
