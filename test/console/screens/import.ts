import type { Screen } from '../screen.ts'

const PATH = '/console/import'
const choose = async (page: Parameters<NonNullable<Screen['steps']>>[0]): Promise<void> => {
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      file('returns.md', '# Returns\n\nWithin 30 days.'),
      file('broken.md', '---\ntitle: [\n---\nText'),
      file('many.jsonl', '{"title": "", "content": "Text", "category": "Imported"}\nnot json\n'),
    ])
}
const PRODUCTS = `${PATH}?what=products`
const chooseFeed = async (page: Parameters<NonNullable<Screen['steps']>>[0]): Promise<void> => {
  const table = 'title;Preis\nGartenschere;"19,90 €"\n;5,-\nSpaten;ab 20 €\n'
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
}

export const screens: readonly Screen[] = [
  { name: 'import', as: 'editor', path: PATH, ready: '.file-drop' },
  { name: 'import-checked', as: 'editor', path: PATH, steps: choose, ready: '.data-table' },
  { name: 'import-products', as: 'editor', path: PRODUCTS, ready: '.file-drop' },
  { name: 'import-products-checked', as: 'editor', path: PRODUCTS, steps: chooseFeed, ready: '.data-table' },
  { name: 'import-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
