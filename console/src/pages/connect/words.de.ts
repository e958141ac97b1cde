import type { ConnectWords } from './words.en.ts'

export const words: ConnectWords = {
  title: 'Verbinden',
  intro:
    'Lassen Sie Assistenten und Programme Ihr Wissen nutzen. Sie sehen, was die Person sehen darf, die sie verbindet, und nicht mehr.',
  kinds: 'Was Sie verbinden',
  assistants: 'Assistenten',
  programs: 'Programme',
  permission: '1. Erlauben',
  let: 'Assistenten dürfen sich verbinden',
  letHelp:
    'Claude, ChatGPT und andere dürfen um eine Verbindung bitten. Jede Person meldet sich dann an und entscheidet, was ihr eigener Assistent darf.',
  askAdministrator:
    'Sie können einen Assistenten verbinden, wenn Ihre Organisation es erlaubt. Wird er abgewiesen, bitten Sie die Administration, Assistenten auf dieser Seite zu erlauben.',
  setUp: '2. Assistenten einrichten',
  assistant: 'Ihr Assistent',
  names: {
    claude: 'Claude',
    'claude-code': 'Claude Code',
    chatgpt: 'ChatGPT',
    cursor: 'Cursor',
    vscode: 'VS Code',
  },
  steps: {
    claude: [
      'Öffnen Sie in Claude Einstellungen → Konnektoren → Benutzerdefinierten Konnektor hinzufügen.',
      'Geben Sie diese Adresse ein und drücken Sie auf Verbinden.',
      'Melden Sie sich hier an und erlauben Sie, was Claude darf.',
    ],
    'claude-code': [
      'Führen Sie diesen Befehl in einem Terminal aus.',
      'Starten Sie Claude Code, geben Sie /mcp ein und wählen Sie „knowledge“.',
      'Melden Sie sich hier an und erlauben Sie, was Claude Code darf.',
    ],
    chatgpt: [
      'Öffnen Sie in ChatGPT Einstellungen → Apps → Erweiterte Einstellungen und schalten Sie den Entwicklermodus ein.',
      'Wählen Sie Erstellen, geben Sie diese Adresse ein und als Authentifizierung OAuth.',
      'Melden Sie sich hier an und erlauben Sie, was ChatGPT darf.',
    ],
    cursor: [
      'Schreiben Sie dies in die Datei mcp.json von Cursor.',
      'Öffnen Sie in Cursor Settings → Tools & MCP und drücken Sie auf Connect.',
      'Melden Sie sich hier an und erlauben Sie, was Cursor darf.',
    ],
    vscode: [
      'Schreiben Sie dies in die Datei .vscode/mcp.json.',
      'Drücken Sie in der Datei über dem Eintrag auf Start.',
      'Melden Sie sich hier an und erlauben Sie, was VS Code darf.',
    ],
  },
  texts: { address: 'Adresse', command: 'Befehl', file: 'Konfiguration' },
  needsInternet: (assistant) =>
    `${assistant} erreicht den Dienst über das Internet, und diese Adresse gilt nur auf diesem Rechner. Wer den Dienst betreibt, gibt ihm eine öffentliche Adresse (PUBLIC_URL).`,
  connected: '3. Zusehen, wie er sich verbindet',
  waiting: 'Warten auf Ihren Assistenten. Diese Seite merkt es von selbst.',
  arrived: (name) => `${name} ist verbunden.`,
  arrivedFor: (name, person) => `${name} ist verbunden, für ${person}.`,
  tryIt: 'Fragen Sie ihn etwas, das in Ihrem Wissen steht, zum Beispiel „Was wissen wir über Rücksendungen?“',
  already: (names) => `Verbunden: ${names}.`,
  manage: 'Verbindungen ansehen und beenden',
  key: '1. Ein Schlüssel',
  keyHelp: 'Er lässt ein Programm suchen und lesen, was alle in Ihrer Organisation lesen dürfen, ein Jahr lang.',
  keyName: 'Wofür ist er?',
  keyNameHelp: 'Zum Beispiel „Suche im Intranet“. Unter diesem Namen finden Sie den Schlüssel wieder.',
  keyNameNeeded: 'Sagen Sie, wofür der Schlüssel ist.',
  makeKey: 'Schlüssel ausstellen',
  otherKeys: 'Schlüssel mit anderen Rechten und für Webseiten',
  askForKey:
    'Schlüssel stellt die Administration aus. Bitten Sie um einen, der suchen darf, und setzen Sie ihn unten für IHR_SCHLUESSEL ein.',
  keyOnce:
    'Bewahren Sie diesen Schlüssel jetzt auf: Er wird nur dieses eine Mal gezeigt. In den Beispielen unten steht er schon.',
  yourKey: 'IHR_SCHLUESSEL',
  question: 'Wie funktioniert eine Rücksendung?',
  request: '2. Eine erste Anfrage',
  requestHelp: 'Sucht nach Bedeutung und Wörtern und antwortet mit den drei besten Treffern.',
  client: '3. Von einer Webseite',
  clientHelp:
    'Im Ordner client/ des Dienstes liegt ein Client für Browser und Node. Eine Webseite nimmt einen Schlüssel für Webseiten, den alle lesen dürfen.',
  mcp: 'Ein eigener Agent',
  mcpHelp: 'Alles, was das Model Context Protocol spricht und einen Schlüssel senden kann.',
  copyRequest: 'Anfrage kopieren',
  copyClient: 'Beispiel kopieren',
  copyMcp: 'Konfiguration kopieren',
  copyKey: 'Schlüssel kopieren',
  more: 'Alles Weitere',
  reference: 'Alle Anfragen, zum Nachlesen und Ausprobieren',
}
