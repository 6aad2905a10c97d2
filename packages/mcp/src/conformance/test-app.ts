import { allow } from '@svc/auth/server'
import { startTestAuth, type TestAuth } from '@svc/auth/testing'
import { ConflictError, defineRouter, route, type ToolContent, t } from '@svc/core/contract'
import { mcp, prompt, reportLog, reportProgress } from '../index.ts'
import { taskRoutes, taskTools } from './test-tasks.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const permission = 'test:use'
const words = (describe: string) => ({ title: describe, describe, permission })
const bytesOf = (base64: string, type: string) =>
  new Response(Buffer.from(base64, 'base64'), { headers: { 'content-type': type } })
const soon = () => new Promise((resolve) => setTimeout(resolve, 50))
const document = (uri: string, text: string, mimeType = 'text/plain') =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) satisfies ToolContent

/** A tool that answers with these contents. */
const givingContents = (path: `/${string}`, contents: readonly ToolContent[]) =>
  allow.public(
    route
      .get(path)
      .tool({ ...words('Gives contents of several kinds.'), contents: () => contents })
      .handler(() => ({})),
  )

/** What the scenarios call: they know these names. */
const tools = {
  test_simple_text: allow.public(
    route
      .get('/simple-text')
      .tool(words('Answers with text.'))
      .handler(() => 'This is a simple text response for testing.'),
  ),
  test_image_content: allow.public(
    route
      .get('/image')
      .tool(words('Answers with an image.'))
      .handler(() => bytesOf(png, 'image/png')),
  ),
  test_audio_content: allow.public(
    route
      .get('/audio')
      .tool(words('Answers with sound.'))
      .handler(() => bytesOf(wav, 'audio/wav')),
  ),
  test_embedded_resource: givingContents('/embedded', [
    document('test://embedded-resource', 'This is an embedded resource content.'),
  ]),
  test_multiple_content_types: givingContents('/several', [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', data: png, mimeType: 'image/png' },
    document('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ]),
  test_tool_with_logging: allow.public(
    route
      .get('/logging')
      .tool(words('Reports what it does.'))
      .handler(async (c) => {
        await reportLog(c, 'info', 'Tool execution started')
        await soon()
        await reportLog(c, 'info', 'Tool processing data')
        await soon()
        await reportLog(c, 'info', 'Tool execution completed')
        return 'Done, with a log.'
      }),
  ),
  test_logging_tool: allow.public(
    route
      .get('/logging-tool')
      .tool(words('Reports one line.'))
      .handler(async (c) => {
        await reportLog(c, 'info', 'A line')
        return 'Done, with a line.'
      }),
  ),
  test_streaming_elicitation: allow.public(
    route
      .get('/streaming')
      .tool(words('Reports how far it is, and asks nothing.'))
      .handler(async (c) => {
        await reportProgress(c, 1)
        return 'Done, with nothing asked.'
      }),
  ),
  test_tool_with_progress: allow.public(
    route
      .get('/progress')
      .tool(words('Reports how far it is.'))
      .handler(async (c) => {
        await reportProgress(c, 0, { total: 100 })
        await soon()
        await reportProgress(c, 50, { total: 100 })
        await soon()
        await reportProgress(c, 100, { total: 100 })
        return 'Done, with progress.'
      }),
  ),
  test_error_handling: allow.public(
    route
      .get('/error')
      .tool(words('Refuses.'))
      .handler((): string => {
        throw new ConflictError({
          message: 'This tool intentionally returns an error for testing',
        })
      }),
  ),
  json_schema_2020_12_tool: allow.public(
    route
      .post('/schema')
      .input({
        body: t.Object(
          {
            name: t.Optional(t.String()),
            address: t.Optional(t.Unsafe({ $ref: '#/$defs/address' })),
            contactMethod: t.Optional(t.Unsafe({ type: 'string', enum: ['phone', 'email'] })),
            phone: t.Optional(t.String()),
            email: t.Optional(t.String()),
          },
          {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            $defs: {
              address: {
                $anchor: 'addressDef',
                type: 'object',
                properties: { street: { type: 'string' }, city: { type: 'string' } },
              },
            },
            allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
            if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
            // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
            // oxlint-disable-next-line unicorn/no-thenable -- the same
            then: { required: ['phone'] },
            else: { required: ['email'] },
          },
        ),
      })
      .tool(words('Has a schema with definitions and conditions.'))
      .handler(() => ({})),
  ),
}

const resources = {
  staticText: allow.public(
    route
      .get('/static-text')
      .handler((c) => c.raw.text('This is the content of the static text resource.')),
  ),
  staticBinary: allow.public(route.get('/static-binary').handler(() => bytesOf(png, 'image/png'))),
  templateData: allow.public(
    route
      .get('/template/:id/data')
      .input({ params: t.Object({ id: t.String() }) })
      .handler(async (c) => {
        const { id } = (await c.data()).params
        return { id, templateTest: true, data: `Data for ID: ${id}` }
      }),
  ),
}

const prompts = {
  test_simple_prompt: prompt({
    ...words('Is a text without arguments.'),
    messages: () => 'This is a simple prompt for testing.',
  }),
  test_prompt_with_arguments: prompt({
    ...words('Has two arguments.'),
    arguments: {
      arg1: { describe: 'The first', complete: ['test', 'tests', 'other'] },
      arg2: { describe: 'The second' },
    },
    messages: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  test_prompt_with_embedded_resource: prompt({
    ...words('Has a document in it.'),
    arguments: { resourceUri: { describe: 'Its address' } },
    messages: ({ resourceUri }) => [
      { role: 'user', content: document(resourceUri, 'Embedded resource content for testing.') },
      {
        role: 'user',
        content: { type: 'text', text: 'Please process the embedded resource above.' },
      },
    ],
  }),
  test_prompt_with_image: prompt({
    ...words('Has an image in it.'),
    messages: () => [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }),
}

const endpoint = mcp({
  path: '/mcp',
  name: 'conformance',
  version: '1.0.0',
  tools: Object.keys({ ...tools, ...taskTools }),
  resources: [
    {
      name: 'staticText',
      uri: 'test://static-text',
      mimeType: 'text/plain',
      ...words('A static text.'),
    },
    {
      name: 'staticBinary',
      uri: 'test://static-binary',
      mimeType: 'image/png',
      ...words('An image.'),
    },
    { name: 'templateData', uri: 'test://template/{id}/data', ...words('The data of an id.') },
  ],
  prompts,
})

/** An application with all that the scenarios of the protocol's own suite ask a server for. */
export const startConformanceApp = (issuer: string): Promise<TestAuth> =>
  startTestAuth({
    env: { SVC_AUTH_OAUTH2_ISSUER: issuer },
    options: {
      permissions: [{ name: permission, displayName: 'Use the tests', category: 'test' }],
      rolePermissions: { user: [permission] },
      authorizationServer: {
        scopes: { [permission]: 'Use the tests' },
        resources: ['/mcp'],
        registration: 'open',
      },
    },
    router: defineRouter({ ...tools, ...taskTools, ...taskRoutes, ...resources, mcp: endpoint }),
  })
