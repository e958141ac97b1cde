import type { Screen } from '../screen.ts'

const PATH = '/console/laboratory'
const ASKED = `${PATH}?q=Wie%20lange%20habe%20ich%20Urlaub`

export const screens: readonly Screen[] = [
  { name: 'laboratory', as: 'admin', path: PATH, ready: '.empty' },
  {
    name: 'laboratory-compared',
    as: 'admin',
    path: ASKED,
    steps: (page) => page.locator('.lab-details summary').first().click(),
    onlyOpens: true,
    ready: '.lab-hit',
  },
  {
    name: 'laboratory-why',
    as: 'admin',
    path: (sample) => `${ASKED}&view=public&why=${sample.entry('Urlaubsantrag stellen')}`,
    // The button is pale while it waits for the search.
    ready: 'body:not(:has(.button-waiting)) .laboratory-why ~ .notice',
  },
  { name: 'laboratory-forbidden', as: 'editor', path: PATH, ready: '.empty' },
]
