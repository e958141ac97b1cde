import { pageWords } from '../../i18n/page-words.ts'

export const useInsightsWords = pageWords({ en: () => import('./words.en.ts'), de: () => import('./words.de.ts') })
