import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { getAuth } from '@svc/auth/server'
import { databaseFailure, type HandlerContext, HttpError } from '@svc/core'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

/** The tools for one request: it lists those that its caller may use, and runs no other. */
export function toolServer(c: HandlerContext) {
  const { server } = new McpServer({ name: 'svc-starter', version: '0.0.0' })
  const { permissions } = getAuth(c)
  server.registerCapabilities({ tools: {} })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools
      .filter(({ permission }) => permissions.includes(permission))
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool)
      throw new McpError(
        ErrorCode.InvalidParams,
        'There is no such tool. List the tools to see their names.',
      )
    return permissions.includes(tool.permission)
      ? use(tool, c, params.arguments ?? {})
      : failure(
          `${tool.name} needs the permission ${tool.permission}: the account has it not, or has not allowed it to you.`,
        )
  })
  return server
}

async function use(tool: Tool, c: HandlerContext, given: unknown) {
  try {
    return result(JSON.stringify(await tool.run(c, given)))
  } catch (error) {
    const refusal = error instanceof HttpError ? error : databaseFailure(error)
    if (refusal) return failure(`${refusal.name}: ${refusal.message}`)
    // Details of a bug belong in the log. An agent must not see them.
    c.log.error({ err: error, tool: tool.name }, 'a tool failed')
    return failure('It failed. Try again later.')
  }
}

const result = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** The model reads this text and can try again. An error of the protocol would end up in a log. */
const failure = (text: string) => ({ ...result(text), isError: true })
