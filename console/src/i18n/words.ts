import { wordsOf } from './table.ts'
import { accessWords } from './words/access.ts'
import { entryWords } from './words/entries.ts'
import { faultWords } from './words/faults.ts'
import { frameWords } from './words/frame.ts'
import { partWords } from './words/parts.ts'
import { securityWords } from './words/security.ts'
import { signInWords } from './words/sign-in.ts'

/** The texts that pages share. Texts of one page alone are in the page's own folder. */
export const WORDS = wordsOf({
  product: { en: 'Knowledge Service', de: 'Knowledge Service' },
  skip: { en: 'Skip to content', de: 'Zum Inhalt springen' },
  loading: { en: 'Loading …', de: 'Wird geladen …' },
  nobodyFound: { en: 'Nobody is called so', de: 'So heißt niemand' },
  language: { en: 'Language', de: 'Sprache' },
  retry: { en: 'Try again', de: 'Erneut versuchen' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  close: { en: 'Close', de: 'Schließen' },
  never: { en: 'Never', de: 'Nie' },
  nobody: { en: 'Nobody', de: 'Niemand' },
  caution: { en: 'Caution', de: 'Vorsicht' },
  actions: { en: 'Actions', de: 'Aktionen' },
  save: { en: 'Save', de: 'Speichern' },
  saving: { en: 'Saving …', de: 'Wird gespeichert …' },
  saved: { en: 'Saved', de: 'Gespeichert' },
  edit: { en: 'Edit', de: 'Bearbeiten' },
  writeMissing: { en: 'Write the missing entry', de: 'Fehlenden Eintrag schreiben' },
  remove: { en: 'Remove', de: 'Entfernen' },
  add: { en: 'Add', de: 'Hinzufügen' },
  back: { en: 'Back', de: 'Zurück' },
  more: { en: 'More', de: 'Mehr' },
  optional: { en: 'optional', de: 'freiwillig' },
  ...partWords,
  ...faultWords,
  ...frameWords,
  ...entryWords,
  ...accessWords,
  signIn: signInWords,
  security: securityWords,
})

export type Words = (typeof WORDS)['en']
