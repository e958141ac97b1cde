import { pageWords } from '../../i18n/language.tsx'

export const useConnectWords = pageWords({
  title: { en: 'Connect', de: 'Verbinden' },
  intro: {
    en: 'Let assistants and programs use your knowledge. They see what the person who connects them may see, and no more.',
    de: 'Lassen Sie Assistenten und Programme Ihr Wissen nutzen. Sie sehen, was die Person sehen darf, die sie verbindet, und nicht mehr.',
  },
  kinds: { en: 'What you connect', de: 'Was Sie verbinden' },
  assistants: { en: 'Assistants', de: 'Assistenten' },
  programs: { en: 'Programs', de: 'Programme' },
  permission: { en: '1. Allow it', de: '1. Erlauben' },
  let: { en: 'Assistants may connect', de: 'Assistenten dürfen sich verbinden' },
  letHelp: {
    en: 'Claude, ChatGPT and others may ask to connect. Each person then signs in and decides what their own assistant may do.',
    de: 'Claude, ChatGPT und andere dürfen um eine Verbindung bitten. Jede Person meldet sich dann an und entscheidet, was ihr eigener Assistent darf.',
  },
  askAdministrator: {
    en: 'You can connect an assistant when your organisation allows it. If the assistant is refused, ask an administrator to allow assistants on this page.',
    de: 'Sie können einen Assistenten verbinden, wenn Ihre Organisation es erlaubt. Wird er abgewiesen, bitten Sie die Administration, Assistenten auf dieser Seite zu erlauben.',
  },
  setUp: { en: '2. Set up your assistant', de: '2. Assistenten einrichten' },
  assistant: { en: 'Your assistant', de: 'Ihr Assistent' },
  names: {
    claude: { en: 'Claude', de: 'Claude' },
    'claude-code': { en: 'Claude Code', de: 'Claude Code' },
    chatgpt: { en: 'ChatGPT', de: 'ChatGPT' },
    cursor: { en: 'Cursor', de: 'Cursor' },
    vscode: { en: 'VS Code', de: 'VS Code' },
  },
  steps: {
    claude: {
      en: [
        'In Claude, open Settings → Connectors → Add custom connector.',
        'Enter this address and press Connect.',
        'Sign in here and allow what Claude may do.',
      ],
      de: [
        'Öffnen Sie in Claude Einstellungen → Konnektoren → Benutzerdefinierten Konnektor hinzufügen.',
        'Geben Sie diese Adresse ein und drücken Sie auf Verbinden.',
        'Melden Sie sich hier an und erlauben Sie, was Claude darf.',
      ],
    },
    'claude-code': {
      en: [
        'Run this command in a terminal.',
        'Start Claude Code, enter /mcp and choose “knowledge”.',
        'Sign in here and allow what Claude Code may do.',
      ],
      de: [
        'Führen Sie diesen Befehl in einem Terminal aus.',
        'Starten Sie Claude Code, geben Sie /mcp ein und wählen Sie „knowledge“.',
        'Melden Sie sich hier an und erlauben Sie, was Claude Code darf.',
      ],
    },
    chatgpt: {
      en: [
        'In ChatGPT, open Settings → Apps → Advanced settings and switch on Developer mode.',
        'Choose Create, enter this address, and OAuth for authentication.',
        'Sign in here and allow what ChatGPT may do.',
      ],
      de: [
        'Öffnen Sie in ChatGPT Einstellungen → Apps → Erweiterte Einstellungen und schalten Sie den Entwicklermodus ein.',
        'Wählen Sie Erstellen, geben Sie diese Adresse ein und als Authentifizierung OAuth.',
        'Melden Sie sich hier an und erlauben Sie, was ChatGPT darf.',
      ],
    },
    cursor: {
      en: [
        'Put this into the file mcp.json of Cursor.',
        'In Cursor, open Settings → Tools & MCP and press Connect.',
        'Sign in here and allow what Cursor may do.',
      ],
      de: [
        'Schreiben Sie dies in die Datei mcp.json von Cursor.',
        'Öffnen Sie in Cursor Settings → Tools & MCP und drücken Sie auf Connect.',
        'Melden Sie sich hier an und erlauben Sie, was Cursor darf.',
      ],
    },
    vscode: {
      en: [
        'Put this into the file .vscode/mcp.json.',
        'Press Start above the entry in the file.',
        'Sign in here and allow what VS Code may do.',
      ],
      de: [
        'Schreiben Sie dies in die Datei .vscode/mcp.json.',
        'Drücken Sie in der Datei über dem Eintrag auf Start.',
        'Melden Sie sich hier an und erlauben Sie, was VS Code darf.',
      ],
    },
  },
  texts: {
    address: { en: 'Address', de: 'Adresse' },
    command: { en: 'Command', de: 'Befehl' },
    file: { en: 'Configuration', de: 'Konfiguration' },
  },
  needsInternet: {
    en: (assistant: string) =>
      `${assistant} reaches the service over the internet, and this address works only on this computer. Whoever operates the service gives it a public address (PUBLIC_URL).`,
    de: (assistant) =>
      `${assistant} erreicht den Dienst über das Internet, und diese Adresse gilt nur auf diesem Rechner. Wer den Dienst betreibt, gibt ihm eine öffentliche Adresse (PUBLIC_URL).`,
  },
  connected: { en: '3. See it connect', de: '3. Zusehen, wie er sich verbindet' },
  waiting: {
    en: 'Waiting for your assistant. This page notices by itself.',
    de: 'Warten auf Ihren Assistenten. Diese Seite merkt es von selbst.',
  },
  arrived: { en: (name: string) => `${name} is connected.`, de: (name) => `${name} ist verbunden.` },
  arrivedFor: {
    en: (name: string, person: string) => `${name} is connected for ${person}.`,
    de: (name, person) => `${name} ist verbunden, für ${person}.`,
  },
  tryIt: {
    en: 'Ask it something that is in your knowledge, such as “What do we know about returns?”',
    de: 'Fragen Sie ihn etwas, das in Ihrem Wissen steht, zum Beispiel „Was wissen wir über Rücksendungen?“',
  },
  already: { en: (names: string) => `Connected: ${names}.`, de: (names) => `Verbunden: ${names}.` },
  manage: { en: 'See and end connections', de: 'Verbindungen ansehen und beenden' },
  key: { en: '1. A key', de: '1. Ein Schlüssel' },
  keyHelp: {
    en: 'It lets a program search and read what everybody in your organisation may read, for one year.',
    de: 'Er lässt ein Programm suchen und lesen, was alle in Ihrer Organisation lesen dürfen, ein Jahr lang.',
  },
  keyName: { en: 'What is it for?', de: 'Wofür ist er?' },
  keyNameHelp: {
    en: 'Such as “Search on the intranet”. By this name you find the key again.',
    de: 'Zum Beispiel „Suche im Intranet“. Unter diesem Namen finden Sie den Schlüssel wieder.',
  },
  keyNameNeeded: { en: 'Say what the key is for.', de: 'Sagen Sie, wofür der Schlüssel ist.' },
  makeKey: { en: 'Make key', de: 'Schlüssel ausstellen' },
  otherKeys: {
    en: 'Keys with other permissions, and for web pages',
    de: 'Schlüssel mit anderen Rechten und für Webseiten',
  },
  askForKey: {
    en: 'Administrators make keys. Ask one for a key that may search, and put it in place of YOUR_KEY below.',
    de: 'Schlüssel stellt die Administration aus. Bitten Sie um einen, der suchen darf, und setzen Sie ihn unten für IHR_SCHLUESSEL ein.',
  },
  keyOnce: {
    en: 'Keep this key now: it is shown only this once. The examples below already have it.',
    de: 'Bewahren Sie diesen Schlüssel jetzt auf: Er wird nur dieses eine Mal gezeigt. In den Beispielen unten steht er schon.',
  },
  yourKey: { en: 'YOUR_KEY', de: 'IHR_SCHLUESSEL' },
  question: { en: 'how do returns work?', de: 'Wie funktioniert eine Rücksendung?' },
  request: { en: '2. A first request', de: '2. Eine erste Anfrage' },
  requestHelp: {
    en: 'Searches by meaning and words, and answers with the three best hits.',
    de: 'Sucht nach Bedeutung und Wörtern und antwortet mit den drei besten Treffern.',
  },
  client: { en: '3. From a web page', de: '3. Von einer Webseite' },
  clientHelp: {
    en: 'The folder client/ of the service has a client for browsers and Node. A web page takes a key for web pages, which everybody may read.',
    de: 'Im Ordner client/ des Dienstes liegt ein Client für Browser und Node. Eine Webseite nimmt einen Schlüssel für Webseiten, den alle lesen dürfen.',
  },
  mcp: { en: 'An agent of your own', de: 'Ein eigener Agent' },
  mcpHelp: {
    en: 'Anything that speaks the Model Context Protocol and can send a key.',
    de: 'Alles, was das Model Context Protocol spricht und einen Schlüssel senden kann.',
  },
  copyRequest: { en: 'Copy request', de: 'Anfrage kopieren' },
  copyClient: { en: 'Copy example', de: 'Beispiel kopieren' },
  copyMcp: { en: 'Copy configuration', de: 'Konfiguration kopieren' },
  copyKey: { en: 'Copy key', de: 'Schlüssel kopieren' },
  more: { en: 'Everything else', de: 'Alles Weitere' },
  reference: { en: 'All requests, to read and try out', de: 'Alle Anfragen, zum Nachlesen und Ausprobieren' },
})
