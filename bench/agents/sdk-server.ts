import { serve } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { served } from '../harness/served.ts'

// As the documentation of the SDK has it. It asks nobody who they are, and no database.
const { fetch } = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'notes', version: '1.0.0' })
    server.registerTool(
      'writeNote',
      {
        title: 'Write a note',
        description: 'Writes a note in the name of the user.',
        inputSchema: z.object({ text: z.string().max(500) }),
        outputSchema: z.object({ by: z.string(), text: z.string() }),
      },
      ({ text }) => {
        const value = { by: 'nobody', text }
        return {
          content: [{ type: 'text', text: JSON.stringify(value) }],
          structuredContent: value,
        }
      },
    )
    return server
  },
  { maxSubscriptions: 0 },
)

serve({ fetch: (request) => fetch(request), hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  served(`http://127.0.0.1:${port}`),
)
