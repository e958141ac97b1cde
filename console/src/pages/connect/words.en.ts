import type { Assistant } from './asked.ts'

const steps: Readonly<Record<Assistant, readonly string[]>> = {
  claude: [
    'In Claude, open Settings → Connectors → Add custom connector.',
    'Enter this address and press Connect.',
    'Sign in here and allow what Claude may do.',
  ],
  'claude-code': [
    'Run this command in a terminal.',
    'Start Claude Code, enter /mcp and choose “knowledge”.',
    'Sign in here and allow what Claude Code may do.',
  ],
  chatgpt: [
    'In ChatGPT, open Settings → Apps → Advanced settings and switch on Developer mode.',
    'Choose Create, enter this address, and OAuth for authentication.',
    'Sign in here and allow what ChatGPT may do.',
  ],
  cursor: [
    'Put this into the file mcp.json of Cursor.',
    'In Cursor, open Settings → Tools & MCP and press Connect.',
    'Sign in here and allow what Cursor may do.',
  ],
  vscode: [
    'Put this into the file .vscode/mcp.json.',
    'Press Start above the entry in the file.',
    'Sign in here and allow what VS Code may do.',
  ],
}

export const words = {
  title: 'Connect',
  intro:
    'Let assistants and programs use your knowledge. They see what the person who connects them may see, and no more.',
  kinds: 'What you connect',
  assistants: 'Assistants',
  programs: 'Programs',
  permission: '1. Allow it',
  let: 'Assistants may connect',
  letHelp:
    'Claude, ChatGPT and others may ask to connect. Each person then signs in and decides what their own assistant may do.',
  askAdministrator:
    'You can connect an assistant when your organisation allows it. If the assistant is refused, ask an administrator to allow assistants on this page.',
  setUp: '2. Set up your assistant',
  assistant: 'Your assistant',
  names: {
    claude: 'Claude',
    'claude-code': 'Claude Code',
    chatgpt: 'ChatGPT',
    cursor: 'Cursor',
    vscode: 'VS Code',
  },
  steps,
  texts: { address: 'Address', command: 'Command', file: 'Configuration' },
  needsInternet: (assistant: string) =>
    `${assistant} reaches the service over the internet, and this address works only on this computer. Whoever operates the service gives it a public address (PUBLIC_URL).`,
  connected: '3. See it connect',
  waiting: 'Waiting for your assistant. This page notices by itself.',
  arrived: (name: string) => `${name} is connected.`,
  arrivedFor: (name: string, person: string) => `${name} is connected for ${person}.`,
  tryIt: 'Ask it something that is in your knowledge, such as “What do we know about returns?”',
  already: (names: string) => `Connected: ${names}.`,
  manage: 'See and end connections',
  key: '1. A key',
  keyHelp: 'It lets a program search and read what everybody in your organisation may read, for one year.',
  keyName: 'What is it for?',
  keyNameHelp: 'Such as “Search on the intranet”. By this name you find the key again.',
  keyNameNeeded: 'Say what the key is for.',
  makeKey: 'Make key',
  otherKeys: 'Keys with other permissions, and for web pages',
  askForKey: 'Administrators make keys. Ask one for a key that may search, and put it in place of YOUR_KEY below.',
  keyOnce: 'Keep this key now: it is shown only this once. The examples below already have it.',
  yourKey: 'YOUR_KEY',
  question: 'how do returns work?',
  request: '2. A first request',
  requestHelp: 'Searches by meaning and words, and answers with the three best hits.',
  client: '3. From a web page',
  clientHelp:
    'The folder client/ of the service has a client for browsers and Node. A web page takes a key for web pages, which everybody may read.',
  mcp: 'An agent of your own',
  mcpHelp: 'Anything that speaks the Model Context Protocol and can send a key.',
  copyRequest: 'Copy request',
  copyClient: 'Copy example',
  copyMcp: 'Copy configuration',
  copyKey: 'Copy key',
  more: 'Everything else',
  reference: 'All requests, to read and try out',
}

export type ConnectWords = typeof words
