import { mayUseTool, type Tool, type ToolContent } from '@svc/core'
import { type ReadAnswer, readAnswer, refusalOf } from './answers.ts'
import { approvedAnswer } from './approval.ts'
import { lacks } from './permissions.ts'
import { reportsOf } from './report.ts'
import { hideBugs, invalid, type Serving } from './serving.ts'

/** Lists the tools that the caller may use, and runs no other. */
export function serveTools({ server, c, granted }: Serving, tools: readonly Tool[]) {
  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => mayUseTool(tool, granted)).map(listed),
  }))
  server.setRequestHandler('tools/call', ({ params }, call) =>
    hideBugs(c, async () => {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool) throw invalid('There is no such tool. List the tools to see their names.')
      if (!mayUseTool(tool, granted)) return failure(lacks(tool))
      reportsOf(c.raw, call)
      const { answer, asking, failed } = await approvedAnswer({ c, call }, async () =>
        readAnswer(await tool.call(c.raw, params.arguments ?? {})),
      )
      if (asking) return asking
      return answer ? resultOf(tool, answer) : failure(failed)
    }),
  )
}

function listed({ name, title, describe, method, inputSchema, outputSchema }: Tool) {
  return {
    name,
    title,
    description: describe,
    inputSchema: inputSchema as { type: 'object' },
    ...(outputSchema && { outputSchema: outputSchema as { type: 'object' } }),
    annotations: {
      title,
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE',
      idempotentHint: method !== 'POST' && method !== 'PATCH',
      openWorldHint: false,
    },
  }
}

function resultOf({ contents }: Tool, answer: ReadAnswer) {
  if (answer.status >= 400) return failure(refusalOf(answer))
  if (answer.kind === 'text') return { content: [textOf(answer.text)] }
  if (answer.kind === 'bytes') return resultOfBytes(answer)
  const { value } = answer
  if (contents) return { content: [...(value as readonly ToolContent[])] }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return {
    content: [textOf(textOfJson(value))],
    ...(isObject && { structuredContent: value as Record<string, unknown> }),
  }
}

function textOfJson(value: unknown) {
  if (value === undefined) return 'Done.'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function resultOfBytes({ type: mimeType, base64: data }: ReadAnswer & { kind: 'bytes' }) {
  const [kind] = mimeType.split('/')
  if (kind !== 'image' && kind !== 'audio') {
    return failure(`The answer is ${mimeType}: no text, image or sound.`)
  }
  return { content: [{ type: kind, data, mimeType } as const] }
}

const textOf = (text: string) => ({ type: 'text' as const, text })

/** The model reads this text and can try again. An error of the protocol would end up in a log. */
const failure = (text: string) => ({ content: [textOf(text)], isError: true })
