import { ForbiddenError, UnauthorizedError } from '../../errors/contract.ts'
import { channelIn, type EventMap } from '../../events/contract.ts'
import type { RawContext } from '../../request/request.ts'
import type { HandlerContext } from '../../routes/routes.ts'
import type { StreamCredentials } from './stream-credentials.ts'
import type { StreamAuthOptions } from './stream-options.ts'
import type { StreamGrant, StreamTokens } from './stream-tokens.ts'

interface Given {
  readonly options: StreamAuthOptions
  readonly tokens: StreamTokens
  readonly credentials: StreamCredentials | undefined
  /** The router's events. */
  readonly events: EventMap
}

// Ours have 45 characters at most. Those of an application's own manager may be longer, but no
// token is a page of text.
const longestToken = 2048

/** Decides which subject may get which events of a router. */
export class StreamAccess {
  readonly #given: Given

  constructor(given: Given) {
    this.#given = given
  }

  /** A token for the authenticated user of the request. */
  async issue(c: HandlerContext) {
    const grant = await this.#identify(c)
    if (!grant) throw new UnauthorizedError({ message: 'Sign in to open a stream.' })
    const { token } = await this.#given.tokens.issue(grant)
    return { token }
  }

  /** The user who changes a stream by a request beside it. */
  async subjectOf(c: HandlerContext) {
    const grant = await this.#identify(c)
    if (!grant) throw new UnauthorizedError({ message: 'Sign in to change a stream.' })
    return grant.subject
  }

  async #identify(c: HandlerContext): Promise<StreamGrant | null> {
    const { options, credentials } = this.#given
    const signer = credentials?.identify(c) ?? null
    if (!options.getSubject) return signer ?? userIdOf(c.raw)
    const subject = await options.getSubject(c)
    if (!subject) return null
    return signer ? { ...signer, owner: signer.owner ?? signer.subject, subject } : { subject }
  }

  /** Spends the token that opens a stream (E-055). */
  async spend(presented: readonly string[]): Promise<StreamGrant> {
    const [token = ''] = presented
    const isToken = presented.length === 1 && token !== '' && token.length <= longestToken
    const grant = isToken ? await this.#given.tokens.consume(token) : null
    if (!grant) {
      const message = 'The token of the stream is missing, used or expired. Request a new one.'
      throw new UnauthorizedError({ message })
    }
    // This is kept as long as the stream is open. The rest of the token's data is not.
    const { subject, owner, credential } = grant
    return { subject, ...(owner && { owner }), ...(credential !== undefined && { credential }) }
  }

  /**
   * The present rights of the credential: a device that was signed out after it got its token opens
   * nothing.
   */
  async standing(grant: StreamGrant) {
    const { credentials } = this.#given
    if (!credentials || grant.credential === undefined) return ''
    const [standing = null] = await credentials.standing([grant])
    if (standing === null) throw new UnauthorizedError()
    return standing
  }

  /** The requested events and channels that this subject may get. */
  async authorize(grant: StreamGrant, requested: readonly string[]) {
    const ofEvents = await this.#authorizeEvents(grant, requested)
    const answers = await Promise.all(ofEvents.map((name) => this.#mayFollow(grant, name)))
    const names = ofEvents.filter((_, at) => answers[at])
    if (names.length === 0)
      throw new ForbiddenError({ message: 'You may not follow any of these events.' })
    return names
  }

  async #authorizeEvents({ subject, credential }: StreamGrant, requested: readonly string[]) {
    const { authorize } = this.#given.options
    if (!authorize) return requested
    const allowed = await authorize(subject, [...requested], ...(credential ? [credential] : []))
    return requested.filter((name) => allowed.includes(name))
  }

  /** No user can follow a channel without a rule: a start refuses such a channel. */
  async #mayFollow({ subject, credential }: StreamGrant, name: string) {
    const [key, id] = channelIn(name, this.#given.events)
    if (id === undefined) return true
    const channels: Partial<Record<string, ChannelRule>> = this.#given.options.channels ?? {}
    const rule = Object.hasOwn(channels, key) ? channels[key] : undefined
    return (await rule?.(subject, id, ...(credential ? [credential] : []))) === true
  }

  /** Whether there is a rule for what an account with another role may get. */
  get authorizes() {
    const { authorize, channels } = this.#given.options
    return authorize !== undefined || channels !== undefined
  }
}

type ChannelRule = (subject: string, id: string, credential?: string) => unknown

/** If an application authenticates users itself, its middleware sets `userId`. */
function userIdOf(raw: RawContext): StreamGrant | null {
  const userId = raw.get('userId')
  return typeof userId === 'string' && userId !== '' ? { subject: userId } : null
}
