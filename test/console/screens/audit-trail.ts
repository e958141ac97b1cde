import type { Screen } from '../screen.ts'

const PATH = '/console/settings/audit-trail'

export const screens: readonly Screen[] = [
  { name: 'audit-trail', as: 'admin', path: PATH, ready: '[role=table]' },
  {
    name: 'audit-trail-filtered',
    as: 'admin',
    path: `${PATH}?action=create&kind=entry&from=2026-01-01`,
    ready: '[role=table]',
  },
  { name: 'audit-trail-nothing', as: 'admin', path: `${PATH}?to=2001-01-01`, ready: '.empty' },
  {
    name: 'audit-trail-record',
    as: 'admin',
    path: PATH,
    steps: (page) => page.locator('.data-cell.actions button').first().click(),
    onlyOpens: true,
    ready: '[role=dialog]',
  },
  { name: 'audit-trail-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
