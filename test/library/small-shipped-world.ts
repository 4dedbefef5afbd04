/** Settings under which packing makes a small world, which comes with the program, in the place of the default one. */
export const smallShippedWorld = { DCSIM_SCALE: '6', DCSIM_WARMUP: '1d12h' }
