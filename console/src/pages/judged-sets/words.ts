import { pageWords } from '../../i18n/language.tsx'

export const useJudgedSetsWords = pageWords({
  title: { en: 'Judged sets', de: 'Bewertete Suchen' },
  intro: {
    en: 'Searches whose results somebody judged. Run a set after a change to see whether search got better.',
    de: 'Suchen, deren Treffer jemand bewertet hat. Messen Sie eine Sammlung nach einer Änderung, um zu sehen, ob die Suche besser wurde.',
  },
  forbidden: {
    en: 'Only administrators can use judged sets.',
    de: 'Nur Administratoren können bewertete Suchen benutzen.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation.',
    de: 'Fragen Sie die Administration Ihrer Organisation.',
  },
  create: { en: 'New set', de: 'Neue Sammlung' },
  submit: { en: 'Create', de: 'Anlegen' },
  name: { en: 'Name', de: 'Name' },
  section: { en: 'Searches in', de: 'Gesucht wird in' },
  sections: {
    knowledge: { en: 'Knowledge', de: 'Wissen' },
    products: { en: 'Products', de: 'Produkte' },
  },
  queries: { en: 'Searches', de: 'Suchen' },
  created: { en: 'Created', de: 'Angelegt' },
  done: { en: (name: string) => `“${name}” is created`, de: (name) => `„${name}“ ist angelegt` },
  empty: { en: 'There is no judged set yet.', de: 'Es gibt noch keine Sammlung.' },
  emptyHelp: {
    en: 'Create one, then judge the results of a few searches in the laboratory. Ten searches are a good start.',
    de: 'Legen Sie eine an, und bewerten Sie im Labor die Treffer einiger Suchen. Zehn Suchen sind ein guter Anfang.',
  },
  full: {
    en: 'There are 50 sets, which is the most. Delete one first.',
    de: 'Es gibt 50 Sammlungen, mehr sind nicht möglich. Löschen Sie zuerst eine.',
  },
})
