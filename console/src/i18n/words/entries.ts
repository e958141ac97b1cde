import { table } from '../table.ts'

/** Texts about the fields of an entry, and about who sees it. */
export const entryWords = table({
  /** Names of an entry's fields. */
  entryFields: {
    differ: { en: 'Also different', de: 'Auch verschieden' },
    names: {
      type: { en: 'Type', de: 'Art' },
      title: { en: 'Title', de: 'Titel' },
      content: { en: 'Text', de: 'Text' },
      category_id: { en: 'Category', de: 'Kategorie' },
      visibility: { en: 'Who can read it', de: 'Wer es lesen kann' },
      summary: { en: 'Summary', de: 'Zusammenfassung' },
      layer: { en: 'Group for programs', de: 'Gruppe für Programme' },
      language: { en: 'Language', de: 'Sprache' },
      tags: { en: 'Tags', de: 'Schlagwörter' },
      search_keywords: { en: 'Other search words', de: 'Weitere Suchwörter' },
      metadata: { en: 'Details of the type', de: 'Angaben der Art' },
      workspace_id: { en: 'Workspace', de: 'Arbeitsbereich' },
      url: { en: 'Published at', de: 'Veröffentlicht unter' },
    },
  },
  /** The levels of visibility, each with who sees it. */
  visibility: {
    public: {
      name: { en: 'Public', de: 'Öffentlich' },
      who: { en: 'Everybody, also visitors of your web pages', de: 'Alle, auch Besucher Ihrer Webseiten' },
    },
    community: {
      name: { en: 'Community', de: 'Community' },
      who: {
        en: 'Your community and everybody in your organisation',
        de: 'Ihre Community und alle in Ihrer Organisation',
      },
    },
    internal: {
      name: { en: 'Internal', de: 'Intern' },
      who: { en: 'Everybody in your organisation', de: 'Alle in Ihrer Organisation' },
    },
    workspace: {
      name: { en: 'Workspace', de: 'Arbeitsbereich' },
      who: {
        en: 'Editors and administrators; with workspaces, the members of its workspace',
        de: 'Redaktion und Administration; mit Arbeitsbereichen die Mitglieder des Arbeitsbereichs',
      },
    },
    restricted: {
      name: { en: 'Restricted', de: 'Vertraulich' },
      who: { en: 'Administrators', de: 'Die Administration' },
    },
    personal: {
      name: { en: 'Personal', de: 'Persönlich' },
      who: { en: 'Only you', de: 'Nur Sie' },
    },
  },
  entryTypes: {
    knowledge: { en: 'Article', de: 'Artikel' },
    skill: { en: 'Skill', de: 'Fähigkeit' },
    process: { en: 'Process', de: 'Prozess' },
    glossary: { en: 'Glossary term', de: 'Glossarbegriff' },
    memory: { en: 'Memory', de: 'Erinnerung' },
    bootstrap: { en: 'Introduction for assistants', de: 'Einführung für Assistenten' },
    skill_index: { en: 'List of skills', de: 'Fähigkeitenverzeichnis' },
  },
})
