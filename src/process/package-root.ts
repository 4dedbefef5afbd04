/** The folder of the checkout or the package; in the executable that of a file system within it, which bundles keep. */
export const packageRoot = new URL('../../', import.meta.url)
