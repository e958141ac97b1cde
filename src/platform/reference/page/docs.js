// Starts Swagger UI with the service's OpenAPI document, and adds sample requests.

const INT32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 }
const ERROR = '#/components/schemas/Error'

const description = await (await fetch('/openapi.json')).text()
// Every integer has 32-bit bounds, which Swagger UI would show as examples.
const spec = JSON.parse(description, (key, value) => (INT32[key] === value ? undefined : value))
// Without servers, Swagger UI sends requests to the page's own origin, the only one that the page's policy allows.
delete spec.servers
// Scripts cannot set cookies for a request, and the browser sends an existing session anyway.
delete spec.components.securitySchemes.session
// The credential of an operator is sent like a key, so one field takes either.
delete spec.components.securitySchemes.operator
for (const operation of Object.values(spec.paths).flatMap((methods) => Object.values(methods))) {
  operation['x-operator'] = operation.security.some((way) => 'operator' in way)
  operation.security = operation.security
    .filter((way) => !('session' in way))
    .map((way) => ('operator' in way ? { bearer: [] } : way))
  // The introduction shows the common error body; repeating it ten times would hide the success answer.
  for (const answer of Object.values(operation.responses)) {
    if (answer.content?.['application/json']?.schema.$ref === ERROR) delete answer.content
  }
}

/** The texts of an operation that the filter searches. */
const wordsOf = (operation) =>
  [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary'])].join(' ').toLowerCase()

/** Keeps operations whose tag, method, path or summary contain every word of the phrase. */
function opsFilter(tagged, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  return tagged
    .map((group, tag) => {
      const name = tag.toLowerCase()
      const fits = (operation) => words.every((word) => name.includes(word) || wordsOf(operation).includes(word))
      return group.update('operations', (operations) => operations.filter(fits))
    })
    .filter((group) => group.get('operations').size > 0)
}

/** A request as TypeScript code, which is valid JavaScript too. */
function typescriptOf(request) {
  const { url, method, headers = {}, body } = request.toJS()
  const lines = [`method: ${JSON.stringify(method.toUpperCase())}`, `headers: ${JSON.stringify(headers, null, 2)}`]
  if (body !== undefined) lines.push(`body: ${bodyOf(body)}`)
  const options = lines.join(',\n').replaceAll('\n', '\n  ')
  return `const response = await fetch(${JSON.stringify(url)}, {\n  ${options},\n})\nconsole.log(response.status, await response.text())`
}

function bodyOf(body) {
  if (typeof body !== 'string') return `new URLSearchParams(${JSON.stringify(body, null, 2)})`
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2)})`
  } catch {
    return JSON.stringify(body)
  }
}

/** The example of an operation as a request. */
function sampleOf(path, method, operation, { Im }) {
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required)
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, example } of required) {
    const value = String(example ?? '')
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query') query.append(name, value)
  }
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const headers = {
    ...(operation.security.length === 0 ? {} : { Authorization: 'Bearer ks_…' }),
    ...(type === undefined ? {} : { 'Content-Type': type }),
  }
  return Im.fromJS({
    url: `${location.origin}${address}${query.size === 0 ? '' : `?${query}`}`,
    method: method.toUpperCase(),
    headers,
    ...(type === undefined ? {} : { body: sampleBody(content.example, type) }),
  })
}

function sampleBody(example, type) {
  if (typeof example === 'string') return example
  if (type === 'application/x-www-form-urlencoded') return String(new URLSearchParams(example))
  return JSON.stringify(example, null, 2)
}

/** Above an operation's answers: its scopes and, until the first try, a sample request. */
const Samples = (Responses, system) => (props) => {
  const { createElement: h } = system.React
  const { path, method, specSelectors } = props
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS()
  if (operation === undefined) return h(Responses, props)
  const scopes = operation['x-scopes'] ?? []
  const needed = scopes.flatMap((scope, i) => [i === 0 ? '' : ' and ', h('code', { key: scope }, scope)])
  const open = operation['x-operator'] ? 'the credential of an operator' : 'any credential'
  const access = operation.security.length === 0 ? 'none needed' : scopes.length === 0 ? open : needed
  const isTried = Boolean(specSelectors.responseFor(path, method))
  return h(
    system.React.Fragment,
    null,
    h('p', { className: 'scopes' }, 'Scope: ', access),
    isTried
      ? null
      : h(system.getComponent('RequestSnippets', true), { request: sampleOf(path, method, operation, system) }),
    h(Responses, props),
  )
}

// The rest names controls and parts of the page that Swagger UI leaves without an accessible name.

/** An operation's path as plain text. Swagger UI would put a link inside the button that opens the operation. */
const DeepLink =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, text)

/** A button named by its visible text. */
const Button =
  (Original, { React }) =>
  (props) =>
    React.createElement(Original, { ...props, 'aria-label': undefined })

const CloseIcon =
  (Original, { React }) =>
  (props) => [unseen(React, 'Close'), React.createElement(Original, { ...props, key: 'icon' })]

const TextArea =
  (Original, { React }) =>
  (props) =>
    React.createElement(Original, { 'aria-label': 'Body', ...props })

/** A parameter's select box. `description` begins with the parameter's name. */
const JsonSchemaForm =
  (Original, { React }) =>
  (props) => {
    const { description, schema } = props
    const form = React.createElement(Original, { ...props, key: 'form' })
    const isChoice = schema.has('enum') || schema.get('type') === 'boolean'
    return isChoice && description ? React.createElement('label', null, [unseen(React, description), form]) : form
  }

const InfoContainer =
  (Original, { React }) =>
  (props) =>
    React.createElement('section', { 'aria-label': 'Introduction' }, React.createElement(Original, props))

const FilterContainer =
  (Original, { React }) =>
  (props) =>
    React.createElement('search', null, React.createElement(Original, props))

const unseen = (React, text) => React.createElement('span', { className: 'unseen', key: 'name' }, text)

const scheme = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', scheme.matches)
follow()
scheme.addEventListener('change', follow)

globalThis.SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // Forget a typed API key when the page closes.
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      typescript: { title: 'TypeScript', syntax: 'javascript' },
    },
    defaultExpanded: true,
    languages: ['curl_bash', 'typescript'],
  },
  syntaxHighlight: { theme: 'obsidian' },
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [
    () => ({
      fn: { opsFilter, requestSnippetGenerator_typescript: typescriptOf },
      wrapComponents: {
        responses: Samples,
        DeepLink,
        Button,
        CloseIcon,
        TextArea,
        JsonSchemaForm,
        InfoContainer,
        FilterContainer,
      },
    }),
  ],
})
