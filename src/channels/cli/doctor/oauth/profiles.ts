/** The body with which a client registers itself (RFC 7591), without the scope. */
export interface RegistrationBody {
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none' | 'client_secret_post' | 'client_secret_basic'
  readonly [member: string]: unknown
}

/** The way in which an assistant connects. docs/maintainers/assistant-clients.md names the source of each fact. */
export interface ClientProfile {
  readonly name: string
  /** `hosted`: the vendor's servers call the service; `local`: a program on the person's own machine does. */
  readonly place: 'hosted' | 'local'
  /** `exact`: the resource in the metadata must be the entered address; `covers`: it may be a prefix of it. */
  readonly resourceMatch: 'exact' | 'covers'
  /** Address of its client id metadata document; null without one. */
  readonly document: string | null
  /** Its registration, in which `bodyOf` sets the scope. */
  readonly registration: RegistrationBody
  /** Whether the registration names the scopes that the client asks for later. */
  readonly registersScope: boolean
  /** Its redirect addresses; `{port}` stands for any free port. */
  readonly redirects: readonly string[]
  /** The place where its user enters a client id by hand. */
  readonly byHand: string
}

const FOR_PEOPLE = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] } as const

/** The assistants that the doctor replays. */
export const PROFILES: readonly ClientProfile[] = [
  {
    name: 'Claude',
    place: 'hosted',
    resourceMatch: 'exact',
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    registration: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...FOR_PEOPLE,
      token_endpoint_auth_method: 'client_secret_post',
      application_type: 'web',
      client_uri: 'https://claude.ai',
    },
    registersScope: false,
    redirects: ['https://claude.ai/api/mcp/auth_callback'],
    byHand: 'Settings → Connectors → Add custom connector → Advanced settings',
  },
  {
    name: 'Claude Code',
    place: 'local',
    resourceMatch: 'covers',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    registration: {
      client_name: 'Claude Code (knowledge)',
      redirect_uris: ['http://localhost:3118/callback'],
      ...FOR_PEOPLE,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    registersScope: false,
    redirects: ['http://localhost:{port}/callback'],
    byHand: 'claude mcp add --transport http --client-id ID',
  },
  {
    name: 'Cursor',
    place: 'local',
    resourceMatch: 'covers',
    document: null,
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...FOR_PEOPLE,
      token_endpoint_auth_method: 'none',
    },
    registersScope: false,
    redirects: [
      'http://localhost:8787/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
    byHand: '"auth": {"CLIENT_ID": "ID"} in mcp.json',
  },
  {
    name: 'ChatGPT',
    place: 'hosted',
    resourceMatch: 'exact',
    document: 'https://chatgpt.com/oauth/client.json',
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      ...FOR_PEOPLE,
      token_endpoint_auth_method: 'none',
    },
    registersScope: false,
    redirects: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    byHand: 'Settings → Apps → Create → OAuth, with a client of your own',
  },
  {
    name: 'VS Code',
    place: 'local',
    resourceMatch: 'exact',
    document: 'https://vscode.dev/oauth/client-metadata.json',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      ...FOR_PEOPLE,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    registersScope: true,
    redirects: ['http://127.0.0.1:{port}/', 'https://vscode.dev/redirect'],
    byHand: '"oauth": {"clientId": "ID"} in mcp.json',
  },
]
