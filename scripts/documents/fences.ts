export const fence = /^```(\w*)(.*?)\n(.*?)^```$/gms

/**
 * The TypeScript examples of a page. A text that begins with `// file: name.ts` is a whole file.
 * Others are not files.
 */
export function examplesOf(page: string) {
  return [...page.matchAll(fence)]
    .filter(([, language]) => language === 'ts' || language === 'tsx')
    .map(([, , info = '', text = '']) => ({
      info,
      text,
      name: /^\/\/ file: (\S+)\n/.exec(text)?.[1] ?? null,
    }))
}
