import { type HandlerContext, toolsOf } from '@svc/core'
import type { Needing } from './permissions.ts'
import type { Offers } from './protocol-server.ts'
import { boundResources } from './resources.ts'
import { findTask } from './task-id.ts'

interface Message {
  readonly method?: unknown
  readonly params?: unknown
}

/**
 * The tool, the resource, the prompt or the job that a message names, if there is one. The protocol's own package has not checked
 * the message yet.
 */
export function neededBy(
  c: HandlerContext,
  { tools, resources, prompts }: Offers,
  { method, params }: Message,
): Needing | undefined {
  const { server } = c.raw
  const { name, uri, taskId } = (params ?? {}) as Record<'name' | 'uri' | 'taskId', unknown>
  if (method === 'tools/call') return toolsOf(server, tools).find((tool) => tool.name === name)
  if (method === 'resources/read' && typeof uri === 'string') {
    return boundResources(server, resources).find(({ pattern }) => pattern.match(uri))?.tool
  }
  if (typeof method === 'string' && method.startsWith('tasks/') && typeof taskId === 'string') {
    return findTask(c, toolsOf(server, tools), taskId)?.tool
  }
  if (method !== 'prompts/get' || typeof name !== 'string') return undefined
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  return prompt && { name, permissions: [prompt.permission] }
}
