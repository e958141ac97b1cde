import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'search-start', as: 'editor', path: '/console', ready: '.newest' },
  { name: 'search-found', as: 'editor', path: '/console?q=R%C3%BCcksendung%20und%20Garantie', ready: '.hit' },
  {
    name: 'search-filtered',
    as: 'editor',
    path: '/console?q=garten&type=knowledge&language=de&tag=garten',
    ready: '.hit',
  },
  {
    name: 'search-weak',
    as: 'editor',
    path: '/console?q=Apfelkuchen%20backen%20nach%20Omas%20Rezept%20im%20Garten',
    ready: '.search-instead',
  },
  { name: 'search-nothing', as: 'reader', path: '/console?q=xqzvvv', ready: '.empty' },
  { name: 'search-nothing-filtered', as: 'reader', path: '/console?q=xqzvvv&type=glossary', ready: '.empty' },
  {
    name: 'search-failed',
    as: 'reader',
    path: '/console',
    steps: async (page) => {
      await page.route('**/knowledge-entries/search', (route) => route.abort())
      await page.locator('#search-field').fill('garantie')
    },
    ready: '.notice-danger',
  },
  {
    name: 'navigation',
    as: 'admin',
    path: '/console',
    steps: async (page) => {
      await page.locator('.top').waitFor()
      const button = page.locator('.drawer-button button')
      if (await button.isVisible()) await button.click()
      else await page.locator('.navigation-fold').click()
    },
    ready: '.navigation:visible',
  },
]
