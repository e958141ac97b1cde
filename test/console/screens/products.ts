import type { Screen } from '../screen.ts'

const PATH = '/console/products'

export const screens: readonly Screen[] = [
  { name: 'products', as: 'editor', path: PATH, ready: '[role=table]' },
  {
    name: 'products-filtered',
    as: 'reader',
    path: `${PATH}?category=Werkzeug%20%3E%20Elektrowerkzeug&brand=%5B%22Bosch%22%2C%22Makita%22%5D&sort=price&q=s%C3%A4ge`,
    ready: '[role=table]',
  },
  { name: 'products-nothing', as: 'reader', path: `${PATH}?q=Zahnpasta&min=9000`, ready: '.empty' },
]
