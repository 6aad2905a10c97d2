import type { Tool, ToolContent } from '@svc/core'
import { type ReadAnswer, refusalOf } from './answers.ts'

/** What a client gets of the answer of a route. */
export function resultOf({ contents }: Pick<Tool, 'contents'>, answer: ReadAnswer) {
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
export const failure = (text: string) => ({ content: [textOf(text)], isError: true })
