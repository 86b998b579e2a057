-- expect ok: the random numbers cannot be seeded from outside
return { math.randomseed == nil, math.random(0) == math.random(0), pcall(math.random, 1, 2, 3), pcall(math.random, 2, 1) }
