export const fence = /^```(\w*)(.*?)\n(.*?)^```$/gms

/** The examples of a page in TypeScript. What begins with `// file: name.ts` is a whole file; all else is none. */
export function examplesOf(page: string) {
  return [...page.matchAll(fence)]
    .filter(([, language]) => language === 'ts' || language === 'tsx')
    .map(([, , info = '', text = '']) => ({
      info,
      text,
      name: /^\/\/ file: (\S+)\n/.exec(text)?.[1] ?? null,
    }))
}
