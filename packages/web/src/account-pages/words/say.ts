import { createElement, Fragment, type ReactNode } from 'react'
import type { AccountSentence, PluralForms, WordsFor } from './account-words.ts'

/** The names in a sentence, of values and of elements: `{name}` and `<link>`. */
type NamesIn<Sentence extends string> =
  | (Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never)
  | (Sentence extends `${string}</${infer Name}>${infer Rest}` ? Name | NamesIn<Rest> : never)

type Node = ReactNode | ((text: ReactNode) => ReactNode)

/** Says a sentence of the pages in the words of the application. */
export interface Say<Known extends string = AccountSentence> {
  <Sentence extends Known>(
    sentence: Sentence,
    values?: { [name in NamesIn<Sentence>]: string | number },
  ): string
  /** The same with elements: the function of that name draws `<link>`. */
  nodes: <Sentence extends Known>(
    sentence: Sentence,
    nodes: { [name in NamesIn<Sentence>]: Node },
  ) => ReactNode
  /** A text of the API, in the words of the application if it has some for it. */
  fromApi: (text: string) => string
  /** For lists and numbers. */
  locale: string
  /** A locale whose English dates have the day first. */
  dateLocale: string
}

type Values = Record<string, string | number>
type Nodes = Record<string, Node>

type AnyWords = Readonly<Record<string, string | PluralForms | undefined>>

/** A sentence without words of the application is shown in English. */
export function sayIn<Known extends string = AccountSentence>(
  { fromApi = {}, ...given }: WordsFor<NoInfer<Known>>,
  locale: string,
): Say<Known> {
  const words: AnyWords = given
  const number = new Intl.NumberFormat(locale)
  const plural = new Intl.PluralRules(locale)

  function wordsFor(sentence: string, values: Nodes) {
    const said = words[sentence] ?? sentence
    if (typeof said === 'string') return said
    const count = Object.values(values).find((value) => typeof value === 'number')
    return (count === undefined ? undefined : said[plural.select(count)]) ?? said.other
  }

  function inDigits<Value>(values: Record<string, Value>): Record<string, Value | string> {
    const shown = (value: Value) => (typeof value === 'number' ? number.format(value) : value)
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, shown(value)] as const),
    )
  }

  const say = (sentence: string, filled: Values = {}) => {
    const values = inDigits(filled)
    return wordsFor(sentence, filled).replace(/\{(\w+)\}/g, (whole, name) =>
      String(values[name] ?? whole),
    )
  }
  const nodes = (sentence: string, filled: Nodes) =>
    drawn(wordsFor(sentence, filled), inDigits(filled))
  const dateLocale = locale === 'en' ? 'en-GB' : locale
  return Object.assign(say, { nodes, fromApi: textIn(words, fromApi), locale, dateLocale })
}

/** The names of roles that every API has are sentences of the pages too. */
function textIn(sentences: AnyWords, fromApi: Readonly<Record<string, string>>) {
  const known: Record<string, unknown> = { ...sentences, ...fromApi }
  return (text: string) => {
    const said = Object.hasOwn(known, text) ? known[text] : text
    return typeof said === 'string' ? said : text
  }
}

/** Says the sentences of the pages in English, where there is no `AccountProvider`. */
export const english = sayIn({}, 'en')

function drawn(text: string, given: Nodes): ReactNode {
  const parts = text.split(/(<(\w+)>.*?<\/\2>|\{\w+\})/)
  // `split` also returns the match of the inner group, which is part of the outer one.
  const shown = parts.filter((_, at) => at % 3 !== 2)
  return shown.map((part, at) => createElement(Fragment, { key: at }, drawnPart(part, given)))
}

function drawnPart(part: string, given: Nodes): ReactNode {
  const [, tag, inner = ''] = /^<(\w+)>(.*)<\/\1>$/.exec(part) ?? []
  const name = tag ?? /^\{(\w+)\}$/.exec(part)?.[1]
  const value = name === undefined ? part : given[name]
  return typeof value === 'function' ? value(drawn(inner, given)) : value
}
