import { pageWords } from '../../i18n/language.tsx'

export const useFirstStepsWords = pageWords({
  title: { en: 'First steps', de: 'Erste Schritte' },
  intro: {
    en: 'Five minutes, and people and assistants find what your organisation knows. You can leave out every step and come back to it.',
    de: 'Fünf Minuten, und Menschen und Assistenten finden, was Ihre Organisation weiß. Sie können jeden Schritt auslassen und später nachholen.',
  },
  forbidden: { en: 'Administrators set up the organisation.', de: 'Die Administration richtet die Organisation ein.' },
  forbiddenHelp: {
    en: 'You can already search, and connect an assistant of your own under Connect.',
    de: 'Sie können schon suchen und unter „Verbinden“ Ihren eigenen Assistenten anschließen.',
  },
  progress: {
    en: (done: number, all: number) =>
      done === all ? `All ${all} steps are done.` : `${done} of ${all} steps are done.`,
    de: (done, all) =>
      done === all ? `Alle ${all} Schritte sind erledigt.` : `${done} von ${all} Schritten sind erledigt.`,
  },
  steps: {
    name: { en: 'Name your organisation', de: 'Der Organisation einen Namen geben' },
    content: { en: 'Add content', de: 'Inhalte hinzufügen' },
    search: { en: 'Search for the first time', de: 'Zum ersten Mal suchen' },
    invite: { en: 'Invite somebody', de: 'Jemanden einladen' },
    assistant: { en: 'Connect an assistant', de: 'Einen Assistenten verbinden' },
  },
  done: { en: '(done)', de: '(erledigt)' },
  next: { en: 'Next step', de: 'Nächster Schritt' },
  skip: { en: 'Later', de: 'Später' },
  finished: { en: 'Everything is set up.', de: 'Alles ist eingerichtet.' },
  save: { en: 'Save and go on', de: 'Speichern und weiter' },
  saved: { en: 'Saved', de: 'Gespeichert' },
  name: { en: 'Name of your organisation', de: 'Name Ihrer Organisation' },
  nameHelp: {
    en: 'People see it when they sign in and when an assistant asks for access.',
    de: 'Er steht bei der Anmeldung und wenn ein Assistent um Zugang bittet.',
  },
  nameNeeded: { en: 'Enter a name.', de: 'Geben Sie einen Namen ein.' },
  language: { en: 'Language', de: 'Sprache' },
  languageHelp: {
    en: 'The language of texts that do not say one. Search finds German and English words in all their forms.',
    de: 'Die Sprache von Texten, die keine nennen. Deutsche und englische Wörter findet die Suche in allen Formen.',
  },
  contentText: {
    en: 'Import the files you have, write the first entry yourself, or look around with a sample first.',
    de: 'Importieren Sie vorhandene Dateien, schreiben Sie den ersten Eintrag selbst oder sehen Sie sich zuerst mit einem Beispiel um.',
  },
  import: { en: 'Import files', de: 'Dateien importieren' },
  write: { en: 'Write an entry', de: 'Eintrag schreiben' },
  sample: { en: 'A sample to try things with', de: 'Ein Beispiel zum Ausprobieren' },
  sampleHelp: {
    en: 'Six short entries of an invented bicycle workshop, in a category of their own. One click removes them again.',
    de: 'Sechs kurze Einträge einer erfundenen Fahrradwerkstatt, in einer eigenen Kategorie. Ein Klick entfernt sie wieder.',
  },
  addSample: { en: 'Add sample', de: 'Beispiel hinzufügen' },
  sampleAdded: {
    en: (count: number) => `${count} sample entries are there.`,
    de: (count) => `${count} Beispiel-Einträge sind da.`,
  },
  sampleThere: {
    en: (count: number) => (count === 1 ? '1 sample entry is there.' : `${count} sample entries are there.`),
    de: (count) => (count === 1 ? '1 Beispiel-Eintrag ist da.' : `${count} Beispiel-Einträge sind da.`),
  },
  removeSample: { en: 'Remove sample', de: 'Beispiel entfernen' },
  removeTitle: { en: 'Remove the sample?', de: 'Das Beispiel entfernen?' },
  removeText: {
    en: (count: number) =>
      count === 1
        ? 'The sample entry goes into the bin. What you wrote yourself stays.'
        : `The ${count} sample entries go into the bin. What you wrote yourself stays.`,
    de: (count) =>
      count === 1
        ? 'Der Beispiel-Eintrag kommt in den Papierkorb. Was Sie selbst geschrieben haben, bleibt.'
        : `Die ${count} Beispiel-Einträge kommen in den Papierkorb. Was Sie selbst geschrieben haben, bleibt.`,
  },
  remove: { en: 'Remove sample', de: 'Beispiel entfernen' },
  removed: { en: 'The sample is removed.', de: 'Das Beispiel ist entfernt.' },
  searchText: {
    en: 'Ask as you would ask a colleague. Whole questions, parts of words and typing errors are understood.',
    de: 'Fragen Sie, wie Sie jemanden im Team fragen würden. Ganze Fragen, Teile von Wörtern und Tippfehler werden verstanden.',
  },
  questions: {
    en: ['What do I do with a damaged battery?', 'How long is the warranty on a frame?', 'ask for holidays'],
    de: ['Was mache ich mit einem beschädigten Akku?', 'Wie lange gilt die Garantie auf den Rahmen?', 'Urlaub'],
  },
  toSearch: { en: 'Go to search', de: 'Zur Suche' },
  inviteText: {
    en: 'Knowledge is worth more when others read and write it, too. They choose a password of their own.',
    de: 'Wissen ist mehr wert, wenn andere mitlesen und mitschreiben. Sie wählen ihr eigenes Passwort.',
  },
  email: { en: 'Email address', de: 'E-Mail-Adresse' },
  emailNeeded: { en: 'Enter an email address.', de: 'Geben Sie eine E-Mail-Adresse ein.' },
  isThere: {
    en: 'Somebody with this address is here already, or invited.',
    de: 'Jemand mit dieser Adresse ist schon da oder eingeladen.',
  },
  role: { en: 'Role', de: 'Rolle' },
  roles: {
    reader: { en: 'Searches and reads', de: 'Sucht und liest' },
    editor: { en: 'Also writes, and sees what people search for', de: 'Schreibt auch und sieht, wonach gesucht wird' },
    admin: { en: 'Also manages people, keys and settings', de: 'Verwaltet auch Personen, Schlüssel und Einstellungen' },
  },
  invite: { en: 'Invite', de: 'Einladen' },
  mailed: {
    en: (email: string) => `${email} has been sent an invitation.`,
    de: (email) => `${email} hat eine Einladung bekommen.`,
  },
  linkFor: {
    en: (email: string) => `Send this link to ${email}. It is shown only this once, and works for one person.`,
    de: (email) =>
      `Schicken Sie diesen Link an ${email}. Er wird nur dieses eine Mal gezeigt und gilt für eine Person.`,
  },
  link: { en: 'Link of the invitation', de: 'Link der Einladung' },
  copyLink: { en: 'Copy link', de: 'Link kopieren' },
  another: { en: 'Invite somebody else', de: 'Noch jemanden einladen' },
  assistantText: {
    en: 'Claude, ChatGPT and others answer from your knowledge, with the rights of the person who connects them.',
    de: 'Claude, ChatGPT und andere antworten aus Ihrem Wissen, mit den Rechten der Person, die sie verbindet.',
  },
})
