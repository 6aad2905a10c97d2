import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server'
import { whenDecided } from '@svc/auth/server'
import { type HandlerContext, mayUseTool, type Tool } from '@svc/core'
import { type ReadAnswer, type Refusal, refusalOf } from './answers.ts'
import { lacks, permissionsNow } from './permissions.ts'
import { capabilitiesOf, endOfWait, waitingMillis } from './serving.ts'

interface Calling {
  readonly c: HandlerContext
  readonly call: ServerContext
  readonly tool: Tool
}

/** What the refusal says of a call that its owner has to approve. */
interface Required {
  readonly approvalId: string
  readonly approveUrl: string
}

/** The answer of the tool, what the client is asked for before, or a text for the model. */
type Answered =
  | { answer: ReadAnswer; asking?: never; failed?: never }
  | { asking: InputRequiredResult; answer?: never; failed?: never }
  | { failed: string; answer?: never; asking?: never }

// The name of the one thing that is asked for.
const asked = 'approval'

/**
 * Calls a tool. If the owner of the account has to approve the call, the client is told the page where they do, and
 * sends the call again. What the owner proves there is not for the client, so it is never a form.
 */
export async function approvedAnswer(
  { c, call, tool }: Calling,
  run: () => Promise<ReadAnswer>,
): Promise<Answered> {
  const response = inputResponse(call.mcpReq.inputResponses, asked)
  if (response.kind === 'elicit' && response.action !== 'accept') {
    return { failed: 'ApprovalRefusedError: The user has not opened the page to approve it.' }
  }
  const first = await run()
  const required = requiredBy(first)
  if (!required) return { answer: first }
  // The client has opened the page, so the owner may decide soon.
  const isOpen = response.kind === 'elicit'
  const millis = waitingMillis(c)
  const { approvalId } = required
  const waiting = { approvalId, millis, signal: endOfWait(c) }
  if (!isOpen || !(await whenDecided(c, waiting))) {
    return askFor({ c, call }, required, refusalOf(first))
  }
  // The user may have taken the grant back meanwhile.
  if (!mayUseTool(tool, await permissionsNow(c))) return { failed: lacks(tool) }
  return { answer: await run() }
}

function requiredBy(answer: ReadAnswer): Required | null {
  if (answer.status !== 403 || answer.kind !== 'json') return null
  const { error, approvalId, approveUrl } = answer.value as Partial<Required> & Refusal
  if (error?.code !== 'ApprovalRequiredError' || !approvalId || !approveUrl) return null
  return { approvalId, approveUrl }
}

const words = 'Approve this call on the page of your account.'

/** As the client can be told. Of one before 2026-07-28, only its revision says whether it knows pages to open. */
function askFor({ c, call }: Omit<Calling, 'tool'>, required: Required, message: string): Answered {
  const { approvalId: elicitationId, approveUrl: url } = required
  if (call.mcpReq.envelope) {
    if (!capabilitiesOf(call).elicitation?.url) return { failed: message }
    const request = inputRequired.elicitUrl({ url, message: words })
    return { asking: inputRequired({ inputRequests: { [asked]: request } }) }
  }
  if (c.raw.req.header('mcp-protocol-version') !== '2025-11-25') return { failed: message }
  const page = { mode: 'url' as const, elicitationId, url, message: words }
  throw new UrlElicitationRequiredError([page], message)
}
