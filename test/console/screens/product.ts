import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'product',
    as: 'editor',
    path: (sample) => `/console/products/${sample.product('Makita Akku-Bohrschrauber')}`,
    ready: '.product-similar',
  },
  {
    name: 'product-variants',
    as: 'reader',
    path: (sample) => `/console/products/${sample.product('Arbeitshandschuh „Griffig“')}`,
    ready: '[role=table]',
  },
  {
    name: 'product-removing',
    as: 'editor',
    path: (sample) => `/console/products/${sample.product('Bosch Hammer')}`,
    steps: (page) => page.locator('.product-head .button').last().click(),
    onlyOpens: true,
    ready: '[role=alertdialog]',
  },
  {
    name: 'product-missing',
    as: 'reader',
    path: '/console/products/0190a1b2-0000-7000-8000-000000000000',
    ready: '.empty',
  },
]
