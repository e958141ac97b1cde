import { allTools, type McpRules } from '../../src/channels/mcp/tools/all.ts'
import { CEILINGS, ROLE_SCOPES, ROLES, SCOPES, type Scope } from '../../src/platform/access/scopes.ts'
import { ceilingOf } from '../../src/platform/access/visibility.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../src/platform/reference/openapi.ts'
import { operationsByTag, type DocumentedRoute } from '../../src/platform/reference/operations.ts'
import { page, table } from './markdown.ts'

/** Permissions of a credential with the scope. */
const MEANINGS: Readonly<Record<Scope, string>> = {
  'knowledge:read': 'Read and search entries up to the ceiling, and categories, projects and workspaces.',
  'knowledge:write': 'Create and change entries; create, change and delete projects.',
  'knowledge:prompts':
    'Offer skill and bootstrap entries to others as prompts, by writing their content. Without it they are prompts for ' +
    'their author alone. No route needs it; no role but admin has it by default.',
  'knowledge:delete': 'Delete entries; restore what rests in the bin, or delete it for good.',
  'knowledge:personal':
    "Write private notes of the credential's own user, and see them with `knowledge:read`. Without it nobody's private " +
    'notes are visible.',
  'categories:write': 'Create, change and delete categories.',
  'products:read': 'Read and search products.',
  'products:write': 'Create, change and delete products, singly or by a feed.',
  'sites:read': 'Read sites.',
  'sites:write': 'Create, change and delete sites, and say which entries they show.',
  'search:log': 'Report clicks on hits.',
  'analytics:read': 'Read what people search for, find and click.',
  'clients:register':
    'Register OAuth clients, with an API key; an access token registers none. Where the tenant lets applications ' +
    'register themselves, they do not need it. At the token endpoints, an API key needs it to stand in for the secret ' +
    'of a client that acts for people.',
  'tenant:admin': 'Administer the tenant: users, keys, OAuth clients and grants, workspaces, embedding status.',
  'visibility:public': 'See public entries. A credential without a ceiling has this one.',
  'visibility:community': 'See entries up to `community`.',
  'visibility:internal': 'See entries up to `internal`.',
  'visibility:workspace':
    'See entries up to `workspace`. Where the tenant uses workspaces, only those of the user’s own workspaces.',
  'visibility:restricted': 'See entries of every level. Private notes remain visible to their owner only.',
}

/** Tells whether a route takes every credential of a tenant. The credential of an operator is none. */
function isForAnyCredential({ security, 'x-scopes': scopes }: OpenApiOperation): boolean {
  return security.some((way) => 'bearer' in way) && scopes === undefined
}

/** Returns the page on scopes: what each permits, which routes and tools need it, and which role has it. */
export function renderScopesPage(document: OpenApiDocument): string {
  const listed = [...operationsByTag(document).values()].flat()
  const actions = SCOPES.filter((scope) => !CEILINGS.includes(scope))
  return page(
    '# Scopes',
    'This page is generated from the routes, the tools and the roles; do not edit it.',
    'A scope is a permission of a credential. A route or tool names the scopes it needs, and a caller needs every one ' +
      'of them; without one the answer is 403. A credential that belongs to a user never has more than the role of ' +
      'that user at the moment of the request, but for `knowledge:prompts`, which an administrator may give to a key of an ' +
      'editor. `X-Scopes` narrows a single request.',
    '## Roles',
    'A key that is issued with a role has these scopes:',
    table(
      ['Scope', ...ROLES],
      [
        ...actions.map((scope) => [
          `[\`${scope}\`](#${anchor(scope)})`,
          ...ROLES.map((role) => (ROLE_SCOPES[role].includes(scope) ? 'yes' : '')),
        ]),
        ['ceiling', ...ROLES.map((role) => ceilingOf(new Set(ROLE_SCOPES[role])))],
      ],
    ),
    '## Ceilings',
    'A ceiling is a scope too. It names the highest level that a credential sees, and includes the levels below.',
    table(
      ['Scope', 'Opens'],
      CEILINGS.map((scope) => [`\`${scope}\``, MEANINGS[scope]]),
    ),
    ...actions.flatMap((scope) => section(scope, listed)),
    '## No scope of their own',
    'These routes need a credential and name no scope. The combined search shows the sections that the scopes allow. ' +
      'The routes under `/oauth/` take the credentials of a client, or an API key of its tenant. People list and end ' +
      'their own grants; those of others need `tenant:admin`.',
    routeTable(listed.filter(({ operation }) => isForAnyCredential(operation))),
    '## Publishable keys',
    'A key that pages may contain (`pk_…`) has `search:log` and, for its sections, `products:read` and ' +
      '`knowledge:read`; its ceiling is public. It opens these routes alone, whatever else its scopes would open:',
    routeTable(listed.filter(({ operation }) => operation['x-publishable'] === true)),
  )
}

function section(scope: Scope, listed: readonly DocumentedRoute[]): string[] {
  const routes = listed.filter(({ operation }) => operation['x-scopes']?.includes(scope))
  const tools = toolsThatNeed(scope)
  return [
    `## ${scope}`,
    MEANINGS[scope],
    ...(routes.length === 0 ? [] : [routeTable(routes, scope)]),
    ...(tools.length === 0 ? [] : [`Tools: ${tools.map((name) => `\`${name}\``).join(', ')}`]),
  ]
}

function routeTable(routes: readonly DocumentedRoute[], scope?: Scope): string {
  const rows = routes.map(({ method, path, operation }) => {
    const others = (operation['x-scopes'] ?? []).filter((each) => each !== scope).map((each) => `\`${each}\``)
    return [`\`${method} ${path}\``, operation.summary, others.join(', ')]
  })
  const columns = rows.some(([, , others]) => others !== '') ? 3 : 2
  return table(
    ['Route', 'Does', 'Also needs'].slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  )
}

/** Returns the tools that need a scope. It reads only the declarations of the tools, so they need no rules here. */
function toolsThatNeed(scope: Scope): string[] {
  return allTools({} as McpRules)
    .filter(({ scopes }) => scopes.includes(scope))
    .map(({ name }) => name)
}

const anchor = (heading: string): string => heading.replace(/[^\w-]/g, '')
