import { pageWords } from '../../i18n/language.tsx'
import type { EachLanguage } from '../../i18n/table.ts'
import { METADATA_LABELS } from './metadata-labels.ts'

/** Names of values that fields of metadata let people choose from. */
const choices: Readonly<Record<string, EachLanguage>> = {
  beginner: { en: 'Easy', de: 'Leicht' },
  intermediate: { en: 'Medium', de: 'Mittel' },
  advanced: { en: 'Hard', de: 'Schwer' },
}

export const useEditorWords = pageWords({
  newTitle: { en: 'New entry', de: 'Neuer Eintrag' },
  editTitle: { en: 'Edit entry', de: 'Eintrag bearbeiten' },
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  title: { en: 'Title', de: 'Titel' },
  text: { en: 'Text', de: 'Text' },
  view: { en: 'How the text is shown', de: 'Darstellung des Textes' },
  views: {
    visual: { en: 'Visual', de: 'Gestaltet' },
    markdown: { en: 'Markdown', de: 'Markdown' },
  },
  longText: {
    en: 'This text is long, so it opens as Markdown.',
    de: 'Der Text ist lang, deshalb öffnet er sich als Markdown.',
  },
  save: { en: 'Save', de: 'Speichern' },
  saveAndClose: { en: 'Save and close', de: 'Speichern und schließen' },
  keys: {
    en: 'Ctrl+S saves, Ctrl+Enter saves and closes. Escape leads from the text to its tools and back.',
    de: 'Strg+S speichert, Strg+Eingabe speichert und schließt. Escape führt vom Text zu den Werkzeugen und zurück.',
  },
  read: { en: 'Read', de: 'Lesen' },
  history: { en: 'Versions', de: 'Fassungen' },
  saveState: {
    saved: { en: 'Saved', de: 'Gespeichert' },
    new: { en: 'Nothing typed yet', de: 'Noch nichts geschrieben' },
    saving: { en: 'Saving …', de: 'Wird gespeichert …' },
    unsaved: { en: 'Not saved yet', de: 'Noch nicht gespeichert' },
    onDevice: { en: 'Not saved – still on this device', de: 'Nicht gespeichert – liegt noch auf diesem Gerät' },
    notOnDevice: {
      en: 'Not saved – and this device cannot keep it. Save before you leave.',
      de: 'Nicht gespeichert, und dieses Gerät kann es nicht behalten. Speichern Sie, bevor Sie gehen.',
    },
  },
  savedToast: { en: 'Saved.', de: 'Gespeichert.' },
  lostPictures: {
    en: (count: number) =>
      count === 1
        ? 'One picture was left out: the service stores no files. Link to a picture on the web instead.'
        : `${count} pictures were left out: the service stores no files. Link to pictures on the web instead.`,
    de: (count) =>
      count === 1
        ? 'Ein Bild wurde weggelassen: Der Dienst speichert keine Dateien. Verweisen Sie stattdessen auf ein Bild im Netz.'
        : `${count} Bilder wurden weggelassen: Der Dienst speichert keine Dateien. Verweisen Sie stattdessen auf Bilder im Netz.`,
  },
  draft: {
    found: {
      en: (when: string) => `You have text from ${when} that is not saved.`,
      de: (when) => `Sie haben einen Text von ${when}, der nicht gespeichert ist.`,
    },
    older: {
      en: 'Somebody has saved another version since. You can compare both when you save.',
      de: 'Inzwischen hat jemand eine andere Fassung gespeichert. Beim Speichern können Sie beide vergleichen.',
    },
    elsewhere: {
      en: 'You are writing on this entry in another tab, and have not saved there. Go on in that tab, or save there before you begin here.',
      de: 'Sie schreiben in einem anderen Tab an diesem Eintrag und haben dort nicht gespeichert. Arbeiten Sie dort weiter oder speichern Sie dort, bevor Sie hier beginnen.',
    },
    use: { en: 'Continue with it', de: 'Damit weiterarbeiten' },
    drop: { en: 'Discard it', de: 'Verwerfen' },
  },
  leave: {
    title: { en: 'Leave without saving?', de: 'Ohne Speichern verlassen?' },
    text: {
      en: 'This device cannot keep what you typed. It will be lost.',
      de: 'Dieses Gerät kann nicht behalten, was Sie geschrieben haben. Es geht verloren.',
    },
    leave: { en: 'Leave', de: 'Verlassen' },
  },
  noCategory: { en: 'Choose a category.', de: 'Wählen Sie eine Kategorie.' },
  noTitle: { en: 'Enter a title.', de: 'Geben Sie einen Titel ein.' },
  noText: { en: 'Write something before you save.', de: 'Schreiben Sie etwas, bevor Sie speichern.' },
  forbidden: { en: 'You may read entries but not write them', de: 'Sie dürfen Einträge lesen, aber nicht schreiben' },
  forbiddenHelp: {
    en: 'An administrator can make you an editor.',
    de: 'Eine Administratorin oder ein Administrator kann Ihnen das Bearbeiten erlauben.',
  },
  missing: { en: 'This entry does not exist', de: 'Diesen Eintrag gibt es nicht' },
  missingHelp: {
    en: 'It was deleted, or you may not read it.',
    de: 'Er wurde gelöscht, oder Sie dürfen ihn nicht lesen.',
  },
  deleted: {
    en: 'Somebody deleted this entry. Your text is still here: save it as a new entry.',
    de: 'Jemand hat diesen Eintrag gelöscht. Ihr Text ist noch da: Speichern Sie ihn als neuen Eintrag.',
  },
  saveAsNew: { en: 'Save as a new entry', de: 'Als neuen Eintrag speichern' },
  copyOf: { en: (title: string) => `${title} (copy)`, de: (title) => `${title} (Kopie)` },
  details: { en: 'Details', de: 'Angaben' },
  type: { en: 'Type', de: 'Art' },
  typeFixed: { en: 'The type of an entry never changes.', de: 'Die Art eines Eintrags ändert sich nie.' },
  category: { en: 'Category', de: 'Kategorie' },
  categoryPlaceholder: { en: 'Type a part of its name', de: 'Teil des Namens eingeben' },
  visibility: { en: 'Who can read it', de: 'Wer es lesen kann' },
  people: {
    en: (count: number) =>
      count === 0 ? 'Nobody can read this' : count === 1 ? '1 person can read this' : `${count} people can read this`,
    de: (count) =>
      count === 0
        ? 'Niemand kann das lesen'
        : count === 1
          ? '1 Person kann das lesen'
          : `${count} Personen können das lesen`,
  },
  everybody: {
    en: (count: number) => `Everybody can read this, also people outside. ${count} people belong to your organisation.`,
    de: (count) => `Alle können das lesen, auch Außenstehende. Zu Ihrer Organisation gehören ${count} Personen.`,
  },
  onlyYou: { en: 'Only you can read this', de: 'Nur Sie können das lesen' },
  workspace: { en: 'Workspace', de: 'Arbeitsbereich' },
  noWorkspace: { en: 'None', de: 'Keiner' },
  language: { en: 'Language', de: 'Sprache' },
  languageAuto: { en: 'As the text tells', de: 'Wie der Text es zeigt' },
  summary: { en: 'Summary', de: 'Zusammenfassung' },
  summaryHelp: {
    en: 'One or two sentences, shown in lists and results.',
    de: 'Ein bis zwei Sätze, die in Listen und Treffern stehen.',
  },
  tags: { en: 'Tags', de: 'Schlagwörter' },
  keywords: { en: 'Other search words', de: 'Weitere Suchwörter' },
  keywordsHelp: {
    en: 'Other spellings and synonyms that people search for.',
    de: 'Andere Schreibweisen und Synonyme, nach denen gesucht wird.',
  },
  url: { en: 'Published at', de: 'Veröffentlicht unter' },
  urlHelp: { en: 'Address of the page where this can be read.', de: 'Adresse der Seite, auf der das zu lesen ist.' },
  urlFault: {
    en: 'Enter an address that begins with http:// or https://.',
    de: 'Geben Sie eine Adresse ein, die mit http:// oder https:// beginnt.',
  },
  layer: { en: 'Group for programs', de: 'Gruppe für Programme' },
  layerHelp: {
    en: 'A word of your own, such as “handbook”. Programs can search only the entries that have it; the interface calls it “layer”. It changes nothing about who may read.',
    de: 'Ein eigenes Wort, etwa „handbuch“. Programme können nur die Einträge durchsuchen, die es haben; in der Schnittstelle heißt es „layer“. Wer lesen darf, ändert es nicht.',
  },
  more: { en: 'More', de: 'Mehr' },
  conflict: {
    title: {
      en: 'Somebody else saved this entry meanwhile',
      de: 'Jemand anderes hat diesen Eintrag inzwischen gespeichert',
    },
    text: {
      en: (when: string) =>
        `It was changed ${when}, since you opened it. Your text is safe on this device. What shall count?`,
      de: (when) =>
        `Er wurde ${when} geändert, seit Sie ihn geöffnet haben. Ihr Text liegt sicher auf diesem Gerät. Was soll gelten?`,
    },
    mine: { en: 'Yours', de: 'Ihr Text' },
    theirs: { en: 'Theirs', de: 'Der andere' },
    base: { en: 'When you opened it', de: 'Als Sie ihn öffneten' },
    compare: { en: 'Compare', de: 'Vergleichen' },
    compareViews: {
      mine: { en: 'What you changed', de: 'Was Sie geändert haben' },
      theirs: { en: 'What they changed', de: 'Was andere geändert haben' },
      both: { en: 'Yours against theirs', de: 'Ihr Text gegen den anderen' },
    },
    takeTheirs: { en: 'Take theirs', de: 'Den anderen übernehmen' },
    takeTheirsHelp: { en: 'Your text is given up.', de: 'Ihr Text wird aufgegeben.' },
    copy: { en: 'Keep mine as a copy', de: 'Meinen als Kopie behalten' },
    copyHelp: { en: 'Both stay, as two entries.', de: 'Beide bleiben, als zwei Einträge.' },
    merge: { en: 'Merge by hand', de: 'Von Hand zusammenführen' },
    mergeHelp: {
      en: 'You go on writing and see their changes beside your text.',
      de: 'Sie schreiben weiter und sehen die Änderungen neben Ihrem Text.',
    },
    overwrite: { en: 'Overwrite theirs', de: 'Den anderen überschreiben' },
    overwriteHelp: { en: 'Theirs stays in the versions.', de: 'Er bleibt unter den Fassungen.' },
    merged: {
      en: 'Their changes, for you to take over. What only they changed in the details is taken over already.',
      de: 'Was andere geändert haben, zum Übernehmen. Angaben, die nur sie geändert haben, sind schon übernommen.',
    },
    mergedTitle: { en: 'What they changed in the text', de: 'Was andere am Text geändert haben' },
    done: { en: 'Done', de: 'Fertig' },
  },
  tools: {
    label: { en: 'Format', de: 'Gestalten' },
    undo: { en: 'Undo', de: 'Rückgängig machen' },
    redo: { en: 'Redo', de: 'Wiederholen' },
    heading2: { en: 'Heading', de: 'Überschrift' },
    heading3: { en: 'Subheading', de: 'Zwischenüberschrift' },
    bold: { en: 'Bold', de: 'Fett' },
    italic: { en: 'Italic', de: 'Kursiv' },
    strike: { en: 'Struck through', de: 'Durchgestrichen' },
    code: { en: 'Code', de: 'Code' },
    link: { en: 'Link', de: 'Link' },
    bullets: { en: 'List', de: 'Liste' },
    numbers: { en: 'Numbered list', de: 'Nummerierte Liste' },
    tasks: { en: 'Task list', de: 'Aufgabenliste' },
    quote: { en: 'Quotation', de: 'Zitat' },
    codeBlock: { en: 'Block of code', de: 'Codeblock' },
    table: { en: 'Table', de: 'Tabelle' },
  },
  table: {
    label: { en: 'Table', de: 'Tabelle' },
    rowBelow: { en: 'Add a row below', de: 'Zeile darunter einfügen' },
    columnAfter: { en: 'Add a column to the right', de: 'Spalte rechts einfügen' },
    deleteRow: { en: 'Delete the row', de: 'Zeile löschen' },
    deleteColumn: { en: 'Delete the column', de: 'Spalte löschen' },
    remove: { en: 'Delete the table', de: 'Tabelle löschen' },
  },
  link: {
    title: { en: 'Link', de: 'Link' },
    address: { en: 'Address', de: 'Adresse' },
    help: {
      en: 'An address on the web, or of an entry: /console/entries/… Empty removes the link.',
      de: 'Eine Adresse im Netz oder die eines Eintrags: /console/entries/… Leer entfernt den Link.',
    },
    refused: { en: 'A link cannot lead to a script.', de: 'Ein Link darf nicht zu einem Skript führen.' },
    set: { en: 'Set link', de: 'Link setzen' },
  },
  visual: {
    task: { en: 'Task', de: 'Aufgabe' },
    picture: { en: (text: string) => `Picture: ${text}`, de: (text) => `Bild: ${text}` },
    markdownOnly: { en: 'Only in the Markdown view', de: 'Nur als Markdown zu bearbeiten' },
    placeholder: {
      en: 'Write here, or paste from Word or a web page.',
      de: 'Schreiben Sie hier oder fügen Sie etwas aus Word oder von einer Webseite ein.',
    },
  },
  metadata: {
    entryHelp: {
      en: 'Type some words of its title, and choose it.',
      de: 'Tippen Sie Wörter des Titels, und wählen Sie ihn aus.',
    },
    title: { en: 'Details of the type', de: 'Angaben der Art' },
    row: { en: (n: number) => `No. ${n}`, de: (n) => `Nr. ${n}` },
    addRow: { en: 'Add', de: 'Hinzufügen' },
    removeRow: { en: (n: number) => `Remove no. ${n}`, de: (n) => `Nr. ${n} entfernen` },
    number: { en: 'Enter a number.', de: 'Geben Sie eine Zahl ein.' },
    required: { en: 'This is needed.', de: 'Bitte ausfüllen.' },
    name: { en: 'Name', de: 'Name' },
    value: { en: 'Value', de: 'Wert' },
    none: { en: 'Not set', de: 'Nicht angegeben' },
    labels: METADATA_LABELS,
    choices,
  },
})

export type EditorWords = ReturnType<typeof useEditorWords>
