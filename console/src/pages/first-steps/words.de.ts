import type { FirstStepsWords } from './words.en.ts'

export const words: FirstStepsWords = {
  title: 'Erste Schritte',
  intro:
    'Fünf Minuten, und Menschen und Assistenten finden, was Ihre Organisation weiß. Sie können jeden Schritt auslassen und später nachholen.',
  forbidden: 'Die Administration richtet die Organisation ein.',
  forbiddenHelp: 'Sie können schon suchen und unter „Verbinden“ Ihren eigenen Assistenten anschließen.',
  progress: (done, all) =>
    done === all ? `Alle ${all} Schritte sind erledigt.` : `${done} von ${all} Schritten sind erledigt.`,
  steps: {
    name: 'Der Organisation einen Namen geben',
    content: 'Inhalte hinzufügen',
    search: 'Zum ersten Mal suchen',
    invite: 'Jemanden einladen',
    assistant: 'Einen Assistenten verbinden',
  },
  done: '(erledigt)',
  next: 'Nächster Schritt',
  skip: 'Später',
  finished: 'Alles ist eingerichtet.',
  save: 'Speichern und weiter',
  saved: 'Gespeichert',
  name: 'Name Ihrer Organisation',
  nameHelp: 'Er steht bei der Anmeldung und wenn ein Assistent um Zugang bittet.',
  nameNeeded: 'Geben Sie einen Namen ein.',
  language: 'Sprache',
  languageHelp:
    'Die Sprache von Texten, die keine nennen. Deutsche und englische Wörter findet die Suche in allen Formen.',
  contentText:
    'Importieren Sie vorhandene Dateien, schreiben Sie den ersten Eintrag selbst oder sehen Sie sich zuerst mit einem Beispiel um.',
  import: 'Dateien importieren',
  write: 'Eintrag schreiben',
  sample: 'Ein Beispiel zum Ausprobieren',
  sampleHelp:
    'Sechs kurze Einträge einer erfundenen Fahrradwerkstatt, in einer eigenen Kategorie. Ein Klick entfernt sie wieder.',
  addSample: 'Beispiel hinzufügen',
  sampleAdded: (count) => `${count} Beispiel-Einträge sind da.`,
  sampleThere: (count) => (count === 1 ? '1 Beispiel-Eintrag ist da.' : `${count} Beispiel-Einträge sind da.`),
  removeSample: 'Beispiel entfernen',
  removeTitle: 'Das Beispiel entfernen?',
  removeText: (count) =>
    count === 1
      ? 'Der Beispiel-Eintrag kommt in den Papierkorb. Was Sie selbst geschrieben haben, bleibt.'
      : `Die ${count} Beispiel-Einträge kommen in den Papierkorb. Was Sie selbst geschrieben haben, bleibt.`,
  remove: 'Beispiel entfernen',
  removed: 'Das Beispiel ist entfernt.',
  searchText:
    'Fragen Sie, wie Sie jemanden im Team fragen würden. Ganze Fragen, Teile von Wörtern und Tippfehler werden verstanden.',
  questions: ['Was mache ich mit einem beschädigten Akku?', 'Wie lange gilt die Garantie auf den Rahmen?', 'Urlaub'],
  toSearch: 'Zur Suche',
  inviteText: 'Wissen ist mehr wert, wenn andere mitlesen und mitschreiben. Sie wählen ihr eigenes Passwort.',
  email: 'E-Mail-Adresse',
  emailNeeded: 'Geben Sie eine E-Mail-Adresse ein.',
  isThere: 'Jemand mit dieser Adresse ist schon da oder eingeladen.',
  role: 'Rolle',
  roles: {
    reader: 'Sucht und liest',
    editor: 'Schreibt auch und sieht, wonach gesucht wird',
    admin: 'Verwaltet auch Personen, Schlüssel und Einstellungen',
  },
  invite: 'Einladen',
  mailed: (email) => `${email} hat eine Einladung bekommen.`,
  linkFor: (email) =>
    `Schicken Sie diesen Link an ${email}. Er wird nur dieses eine Mal gezeigt und gilt für eine Person.`,
  link: 'Link der Einladung',
  copyLink: 'Link kopieren',
  another: 'Noch jemanden einladen',
  assistantText:
    'Claude, ChatGPT und andere antworten aus Ihrem Wissen, mit den Rechten der Person, die sie verbindet.',
}
