// Swift's Glibc module leaves epoll out.
#include <sys/epoll.h>
