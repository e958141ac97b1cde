import type { JudgedSetsWords } from './words.en.ts'

export const words: JudgedSetsWords = {
  title: 'Bewertete Suchen',
  intro:
    'Suchen, deren Treffer jemand bewertet hat. Messen Sie eine Sammlung nach einer Änderung, um zu sehen, ob die Suche besser wurde.',
  forbidden: 'Nur Administratoren können bewertete Suchen benutzen.',
  forbiddenHelp: 'Fragen Sie die Administration Ihrer Organisation.',
  create: 'Neue Sammlung',
  submit: 'Anlegen',
  name: 'Name',
  section: 'Gesucht wird in',
  sections: { knowledge: 'Wissen', products: 'Produkte' },
  queries: 'Suchen',
  created: 'Angelegt',
  done: (name) => `„${name}“ ist angelegt`,
  empty: 'Es gibt noch keine Sammlung.',
  emptyHelp:
    'Legen Sie eine an, und bewerten Sie im Labor die Treffer einiger Suchen. Zehn Suchen sind ein guter Anfang.',
  full: 'Es gibt 50 Sammlungen, mehr sind nicht möglich. Löschen Sie zuerst eine.',
}
