import type { CommandLine } from '../../arguments.ts'

/** Command line of `knowledge doctor oauth`. Its module is loaded only when the command is called. */
export const DOCTOR_OAUTH = {
  usage: 'doctor oauth [options]',
  about:
    'Connects to the running service as Claude, Claude Code, Cursor, ChatGPT and VS Code do, up to the sign-in page,\n' +
    'and says for each whether it gets in, what keeps it out and what to do. Clients it registers are removed again.\n' +
    'Where the tenant wants a key for registering, it takes the one in KNOWLEDGE_API_KEY or --key (scope\n' +
    'clients:register) and goes less far without. Exit code 1 when something is broken; an assistant that the settings\n' +
    'keep out is no fault.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      help: 'address of the service (default: PUBLIC_URL, without it localhost at PORT)',
    },
    key: { type: 'string', value: 'FILE', help: 'file with an API key, or - for standard input' },
  },
} as const satisfies CommandLine
