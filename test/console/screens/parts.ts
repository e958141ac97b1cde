import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'parts', as: null, path: '/console/parts', ready: '.skeleton' },
  {
    name: 'parts-faults',
    as: null,
    path: '/console/parts',
    steps: (page) => page.locator('form button[type=submit]').click(),
    ready: '.field-fault',
  },
  {
    name: 'parts-menu',
    as: null,
    path: '/console/parts',
    steps: (page) => page.locator('[aria-haspopup=true]').first().click(),
    ready: '[role=menu]',
  },
  {
    name: 'parts-question',
    as: null,
    path: '/console/parts',
    steps: (page) => page.locator('.section .button-danger').nth(1).click(),
    ready: '[role=alertdialog]',
  },
  {
    name: 'parts-tree',
    as: null,
    path: '/console/parts',
    steps: (page) => page.getByRole('tab').nth(1).click(),
    ready: '[role=treegrid]',
  },
]
