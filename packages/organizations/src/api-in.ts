/** What a call takes, without the organization: it is filled in. */
type Inside<Given> = Given extends { params: infer Params extends { org: string } }
  ? Omit<Given, 'params'> &
      (keyof Omit<Params, 'org'> extends never
        ? { params?: Record<never, never> }
        : { params: Omit<Params, 'org'> })
  : Given

type ArgumentsInside<Given extends readonly unknown[]> = Given extends readonly [
  input: infer Input,
  ...more: infer More,
]
  ? object extends Inside<Input>
    ? [input?: Inside<Input>, ...more: More]
    : [input: Inside<Input>, ...more: More]
  : Given // nothing in it is required

interface AnyCall {
  readonly call: (...given: never[]) => unknown
  readonly try: (...given: never[]) => unknown
}

interface CallInside<Call extends AnyCall> {
  readonly call: (...given: ArgumentsInside<Parameters<Call['call']>>) => ReturnType<Call['call']>
  readonly try: (...given: ArgumentsInside<Parameters<Call['try']>>) => ReturnType<Call['try']>
}

/** A typed client whose calls name one organization. */
export type ApiInOrganization<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends AnyCall ? CallInside<Api[Name]> : Api[Name]
}

type AnyInput = { params?: object } | undefined

/**
 * A typed client inside one organization: `apiIn(api, org).listInvoices.call()`. It keeps nothing, so that two tabs can
 * be in two organizations.
 */
export function apiIn<Api extends object>(api: Api, org: string): ApiInOrganization<Api> {
  const inside = (call: AnyCall) => {
    const filled = (input: AnyInput) => ({ ...input, params: { ...input?.params, org } }) as never
    return {
      call: (input: AnyInput, ...more: never[]) => call.call(filled(input), ...more),
      try: (input: AnyInput, ...more: never[]) => call.try(filled(input), ...more),
    }
  }
  // Only what the client has: a tool that inspects it may read any member.
  return new Proxy({} as ApiInOrganization<Api> & object, {
    get(_target, name) {
      const found = Reflect.get(api, name) as AnyCall | undefined
      return typeof found?.call === 'function' && typeof found.try === 'function'
        ? inside(found)
        : found
    },
  })
}
