import type { Screen } from '../screen.ts'

const PATH = '/console/products/rules'

export const screens: readonly Screen[] = [
  { name: 'rules', as: 'editor', path: PATH, ready: '[role=table]' },
  {
    name: 'rule',
    as: 'editor',
    path: PATH,
    steps: (page) => page.getByRole('rowheader').nth(1).getByRole('link').click(),
    onlyOpens: true,
    ready: '.rule-ranking li',
  },
  { name: 'rule-new', as: 'editor', path: `${PATH}/new`, ready: '.rule-ranking li' },
  { name: 'rules-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
