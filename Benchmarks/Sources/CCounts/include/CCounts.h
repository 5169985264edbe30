#ifndef CCOUNTS_H
#define CCOUNTS_H

// Linking this target makes the random numbers of a program the same in every run.

#endif
